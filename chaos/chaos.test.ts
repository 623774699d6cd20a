/**
 * A short run of `npm run chaos` on the real server with its real Postgres, agents and hosts. With `npm run test:all` it is a
 * longer one. What it found is printed either way.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundleServer, type ServerBundle } from "../server/testing/server-process";
import { planOf } from "./plan";
import { reportOf } from "./report";
import { runChaos } from "./run";

const LONG = Boolean(process.env.CAMELOT_TEST_ALL);
const KILLS = LONG ? 40 : 3;
const SEED = "1";
const TIME_MS = LONG ? 1_800_000 : 400_000;
vi.setConfig({ testTimeout: TIME_MS, hookTimeout: TIME_MS });

let bundle: ServerBundle;
const stopping = new AbortController();

beforeAll(async () => {
  bundle = await bundleServer();
});
afterAll(() => {
  stopping.abort();
  bundle.remove();
});

test.runIf(process.platform === "linux")(
  "[P1][P4][P5][P6][P8][P10][P11][R1][R2][R3][R6][R11] servers, databases, hosts and agents are killed: nothing is lost, nothing happens twice",
  async () => {
    // Without built pages: the agents do not look at any.
    const program = { path: bundle.path, root: process.cwd(), environment: { CAMELOT_TEST_HOOKS: "1" } };
    const report = await runChaos({
      seed: SEED,
      kills: KILLS,
      mostMs: null,
      program,
      tell() {},
      signal: stopping.signal,
    });
    console.log(reportOf(report, `npm run chaos -- --kills ${KILLS} --seed ${SEED}`));
    const { verdict, kills, planned, figures } = report;
    expect(verdict.findings).toEqual(Object.fromEntries(Object.keys(verdict.findings).map((finding) => [finding, []])));
    expect(verdict.isClean).toBe(true);
    expect(kills.server).toBe(KILLS);
    expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBe(planned);
    expect(planned).toBe(planOf(SEED, KILLS).length);
    expect(figures["starts of servers"]).toBeGreaterThan(KILLS);
    // Enough has happened for the verdict to say something.
    expect(figures.succeeded).toBeGreaterThan(20);
    expect(verdict.judged.whole).toBe(figures.succeeded);
    expect(verdict.judged.pairs).toBeGreaterThan(20);
    expect(verdict.judged.grants).toBeGreaterThan(20);
  },
);
