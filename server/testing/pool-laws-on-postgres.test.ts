import { poolLaws } from "./pool-laws.suite";
import { postgresPoolDatabase } from "./postgres-pool-database";

poolLaws("PostgreSQL", postgresPoolDatabase, process.env.CAMELOT_TEST_ALL ? 10_000 : 400);
