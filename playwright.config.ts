import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { IS_WITHOUT_AGENTS } from "./scripts/agent-clis.mjs";
import { CHROMIUM_ARGS, findChromium } from "./scripts/chromium.mjs";

/**
 * The user's stories in a real browser. There is no `webServer` here on purpose: every spec starts its own server on a
 * free port with its own data directory, so that specs may kill and restart it.
 */
export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  // Left out and not skipped: a skipped story counts as failed, and the last line of the tests says what was left out.
  testIgnore: IS_WITHOUT_AGENTS ? "**/real-agent*.spec.ts" : [],
  outputDir: "test-results",
  // Stories wait for agents and servers more than they work.
  workers: availableParallelism() + 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 240_000,
  // What people see at once takes its time on a busy machine; nothing here says how fast the product is.
  expect: { timeout: 30_000 },
  use: {
    // A trace costs a third of a story's time: `npm run e2e -- --trace on` where one is wanted.
    trace: "off",
    // What moves is drawn by the processor here. The stories are about what is there, and it is there without motion too.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findChromium() ?? undefined,
      args: CHROMIUM_ARGS,
    },
  },
});
