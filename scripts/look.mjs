/**
 * `npm run look`: a picture of every page in both themes and on a phone, into look/. With `--docs` those that docs/look.md
 * shows are put beside it. Other arguments go to Playwright.
 */
import { ensureBrowser } from "./browser.mjs";
import { ensure } from "./ensure.mjs";
import { runScript } from "./refusal.mjs";
import { runTool } from "./run-tool.mjs";

const isForDocs = process.argv.includes("--docs");
const others = process.argv.slice(2).filter((argument) => argument !== "--docs");

await runScript(async () => {
  await ensure({ build: true });
  ensureBrowser();
  const args = ["test", "--config=e2e/look/playwright.config.ts", "--reporter=list", ...others];
  process.exitCode = await runTool("playwright", args, isForDocs ? { CAMELOT_LOOK_DOCS: "1" } : {});
});
