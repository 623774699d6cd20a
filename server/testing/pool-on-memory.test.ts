import { memoryPoolDatabase } from "./memory-pool-database";
import { poolEndingsSuite } from "./pool-endings.suite";
import { poolFaultsSuite } from "./pool-faults.suite";
import { poolFollowersSuite } from "./pool-followers.suite";
import { poolGrantsSuite } from "./pool-grants.suite";
import { poolWaitingSuite } from "./pool-waiting.suite";

poolGrantsSuite("memory", async () => memoryPoolDatabase());
poolEndingsSuite("memory", async () => memoryPoolDatabase());
poolWaitingSuite("memory", async () => memoryPoolDatabase());
poolFaultsSuite("memory", async () => memoryPoolDatabase());
poolFollowersSuite("memory", async () => memoryPoolDatabase());
