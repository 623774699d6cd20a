import { defineConfig } from "@playwright/test";
import main from "../../playwright.config";

/** Pictures for people to look at; nothing is tested, so they are no part of the stories. */
export default defineConfig({
  ...main,
  testDir: ".",
  testMatch: "**/*.look.ts",
  testIgnore: [],
  outputDir: "../../test-results/look",
  workers: 1,
  timeout: 120_000,
  use: { ...main.use, actionTimeout: 30_000 },
});
