/** `npm run e2e`: the browser stories alone; arguments go to Playwright. */
import { ensureBrowser } from "./browser.mjs";
import { ensure } from "./ensure.mjs";
import { runScript } from "./refusal.mjs";
import { runTool } from "./run-tool.mjs";

await runScript(async () => {
  await ensure({ build: true });
  ensureBrowser();
  process.exitCode = await runTool("playwright", ["test", "--reporter=list", ...process.argv.slice(2)]);
});
