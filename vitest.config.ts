import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Components, in happy-dom. */
const BROWSER = ["components/**/*.test.{ts,tsx}", "app/**/*.test.{ts,tsx}"];
/** They need modules of their own: they put others in their place, or look at what all of a page shares. */
const ALONE = ["app", "components"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
  .filter((file) => /\.test\.tsx?$/.test(file))
  .filter((file) => /\bvi\.(mock|doMock|resetModules)\(|\b\w+Slot\b/.test(readFileSync(file, "utf8")));

const IN_HAPPY_DOM = { environment: "happy-dom", setupFiles: ["components/testing-setup.ts"] };

/** They take a minute each even when they are short; what they break one after the other, other tests break alone. */
const LONG_ONES = process.env.CAMELOT_TEST_ALL ? [] : ["chaos/chaos.test.ts", "server/full-load.test.ts"];

const resolve = { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] };

/**
 * Two kinds of tests: `node` (real processes, real git, real Postgres) and `browser` (components in happy-dom). Most of
 * the latter share what they import, which is most of their time.
 * The test database cluster is started by the first test that asks for one, see server/testing/postgres.ts.
 */
export default defineConfig({
  test: {
    // Most of the time of these tests is waiting for processes, so there is one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Conditions are waited for as long as a busy machine needs.
    expect: { poll: { timeout: 15_000 } },
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          environment: "node",
          include: [
            "server/**/*.test.ts",
            "scripts/**/*.test.ts",
            "drizzle/**/*.test.ts",
            "chaos/**/*.test.ts",
            "bench/**/*.test.ts",
          ],
          exclude: LONG_ONES,
          globalSetup: ["server/testing/postgres-cluster.ts"],
        },
      },
      {
        extends: true,
        resolve,
        test: { name: "browser", include: BROWSER, exclude: ALONE, isolate: false, ...IN_HAPPY_DOM },
      },
      { extends: true, resolve, test: { name: "browser-alone", include: ALONE, ...IN_HAPPY_DOM } },
    ],
  },
});
