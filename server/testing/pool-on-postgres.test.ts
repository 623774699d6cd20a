import { poolSuite } from "./pool.suite";
import { postgresPoolDatabase } from "./postgres-pool-database";

poolSuite("PostgreSQL", postgresPoolDatabase);
