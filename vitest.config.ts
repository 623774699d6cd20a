import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * Two kinds of tests: `node` (real processes, real git, real Postgres) and `browser` (components in happy-dom).
 * The test database cluster is started by the first test that asks for one, see server/testing/postgres.ts.
 */
export default defineConfig({
  test: {
    // Most of the time of these tests is waiting for processes, so two workers are worth it even on one core.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          globalSetup: ["server/testing/postgres-cluster.ts"],
        },
      },
      {
        extends: true,
        resolve: { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] },
        test: {
          name: "browser",
          environment: "happy-dom",
          include: ["components/**/*.test.{ts,tsx}", "app/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
