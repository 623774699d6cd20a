import { poolSuite } from "./pool.suite";
import { poolFaultsSuite } from "./pool-faults.suite";
import { poolFollowersSuite } from "./pool-followers.suite";
import { postgresPoolDatabase } from "./postgres-pool-database";

poolSuite("PostgreSQL", postgresPoolDatabase);
poolFaultsSuite("PostgreSQL", postgresPoolDatabase);
poolFollowersSuite("PostgreSQL", postgresPoolDatabase);
