import { poolEndingsSuite } from "./pool-endings.suite";
import { poolFaultsSuite } from "./pool-faults.suite";
import { poolFollowersSuite } from "./pool-followers.suite";
import { poolGrantsSuite } from "./pool-grants.suite";
import { poolWaitingSuite } from "./pool-waiting.suite";
import { postgresPoolDatabase } from "./postgres-pool-database";

poolGrantsSuite("PostgreSQL", postgresPoolDatabase);
poolEndingsSuite("PostgreSQL", postgresPoolDatabase);
poolWaitingSuite("PostgreSQL", postgresPoolDatabase);
poolFaultsSuite("PostgreSQL", postgresPoolDatabase);
poolFollowersSuite("PostgreSQL", postgresPoolDatabase);
