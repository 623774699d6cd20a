import { poolSuite } from "./pool.suite";
import { poolFaultsSuite } from "./pool-faults.suite";
import { postgresPoolDatabase } from "./postgres-pool-database";

poolSuite("PostgreSQL", postgresPoolDatabase);
poolFaultsSuite("PostgreSQL", postgresPoolDatabase);
