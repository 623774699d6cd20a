import { appClient } from "../db/client";
import { createPoolHistoryStore } from "../db/pool-history-store";
import { memoryPoolDatabase } from "./memory-pool-database";
import { memoryPoolHistory } from "./memory-pool-history";
import { poolHistorySuite } from "./pool-history.suite";
import { postgresPoolDatabase } from "./postgres-pool-database";

poolHistorySuite("memory", async () => ({ store: memoryPoolHistory(), database: memoryPoolDatabase() }));
poolHistorySuite("PostgreSQL", async () => {
  const real = await postgresPoolDatabase();
  const sql = appClient(real.url);
  const close = async () => {
    await sql.end({ timeout: 5 });
    await real.close();
  };
  return { store: createPoolHistoryStore(sql), database: { ...real, close } };
});
