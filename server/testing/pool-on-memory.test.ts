import { memoryPoolDatabase } from "./memory-pool-database";
import { poolSuite } from "./pool.suite";
import { poolFaultsSuite } from "./pool-faults.suite";

poolSuite("memory", async () => memoryPoolDatabase());
poolFaultsSuite("memory", async () => memoryPoolDatabase());
