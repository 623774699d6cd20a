/** `npm run check`: format, lint, types, dead code, arrows, and whether every rule of the spec has its test. */
import { runChecks } from "./checks.mjs";
import { ensure } from "./ensure.mjs";
import { Refusal, runScript } from "./refusal.mjs";
import { runTool } from "./run-tool.mjs";

await runScript(async () => {
  await ensure({ build: false });
  const { failed } = await runChecks();
  const house = await runTool("vitest", ["run", "scripts/arrows.test.ts", "scripts/spec-rules.test.ts"]);
  if (failed > 0 || house !== 0) throw new Refusal("The check has found something, see above.");
});
