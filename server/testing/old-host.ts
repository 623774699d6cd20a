/** A host of the version before, started as the server of its time started it: for tests that take it over (R13). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunOrder } from "../ports/runner";
import { ORDER_FILE, ORDERS_FOLDER, SPAWNED_FILE } from "../runner/host/run-folder";
import { openRunsFolder } from "../runner/process/runs-folder";
import { spawnHost } from "../runner/process/spawn-host";
import { identifyChild } from "../system/process-identity";

const VERSION = 1;
const HOST = fileURLToPath(new URL("hosts/host-1.mjs", import.meta.url));

export async function startOldHost(dataDir: string, order: RunOrder): Promise<void> {
  const runs = openRunsFolder(dataDir);
  const folder = await runs.make(order);
  await mkdir(join(folder, ORDERS_FOLDER), { recursive: true });
  const write = (name: string, content: object) =>
    writeFile(join(folder, name), JSON.stringify({ version: VERSION, ...content }), { mode: 0o600 });
  await write(ORDER_FILE, { ...order, driver: "plain", mark: await runs.markOf(order) });
  await write(SPAWNED_FILE, identifyChild(await spawnHost(HOST, folder)) ?? {});
}
