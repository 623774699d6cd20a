/** `npm run stop-agents`: ends the agents that go on after an ordinary stop of the server. */
import { spawnSync } from "node:child_process";
import { ensure } from "./ensure.mjs";
import { runScript } from "./refusal.mjs";
import { ROOT } from "./stamps.mjs";

await runScript(async () => {
  await ensure({ build: false });
  const { buildPrograms } = await import("./build.mjs");
  await buildPrograms(["stop-agents.mjs"]);
  process.exitCode = spawnSync(process.execPath, ["dist/stop-agents.mjs"], { cwd: ROOT, stdio: "inherit" }).status ?? 1;
});
