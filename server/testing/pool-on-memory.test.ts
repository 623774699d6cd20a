import { memoryPoolDatabase } from "./memory-pool-database";
import { poolSuite } from "./pool.suite";
import { poolFaultsSuite } from "./pool-faults.suite";
import { poolFollowersSuite } from "./pool-followers.suite";

poolSuite("memory", async () => memoryPoolDatabase());
poolFaultsSuite("memory", async () => memoryPoolDatabase());
poolFollowersSuite("memory", async () => memoryPoolDatabase());
