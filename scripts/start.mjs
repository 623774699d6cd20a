/** `npm start`: makes the checkout ready, then runs the server until it leaves. */
import { ensure } from "./ensure.mjs";
import { runScript } from "./refusal.mjs";
import { superviseServer } from "./supervise.mjs";

await runScript(async () => {
  await ensure({ build: true });
  process.exitCode = await superviseServer({ program: process.execPath, args: ["dist/server.mjs"] });
});
