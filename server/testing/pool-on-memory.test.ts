import { memoryPoolDatabase } from "./memory-pool-database";
import { poolSuite } from "./pool.suite";

poolSuite("memory", async () => memoryPoolDatabase());
