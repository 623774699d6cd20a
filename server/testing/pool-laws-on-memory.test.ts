import { memoryPoolDatabase } from "./memory-pool-database";
import { poolLaws } from "./pool-laws.suite";

poolLaws("memory", async () => memoryPoolDatabase(), process.env.CAMELOT_TEST_ALL ? 50_000 : 3_000);
