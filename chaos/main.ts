/**
 * `npm run chaos -- --kills N [--seed S] [--minutes M]`: kills the server N times with `kill -9` under load, and
 * Postgres, connections, hosts and agents beside; then proves from the agents' own marks and the rows that nothing was lost and
 * nothing done twice. Exit code 0 when it is clean, 1 when not, 64 when it was asked wrongly.
 */
import { randomInt } from "node:crypto";
import path from "node:path";
import { parseArgs } from "node:util";
import { reportOf } from "./report";
import { runChaos } from "./run";

const KILLS_MOST = 10_000;
const USAGE_EXIT_CODE = 64;
const ROOT = path.dirname(import.meta.dirname);

const asked = readArguments();
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => stopping.abort(new Error("It was stopped by hand.")));
try {
  const report = await runChaos({
    seed: asked.seed,
    kills: asked.kills,
    mostMs: asked.minutes === null ? null : asked.minutes * 60_000,
    program: { path: path.join(ROOT, "dist", "server.mjs"), root: ROOT, environment: {} },
    tell: (line) => console.log(line),
    signal: stopping.signal,
  });
  console.log(reportOf(report, `npm run chaos -- --kills ${asked.kills} --seed ${asked.seed}`));
  process.exitCode = report.verdict.isClean ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`Not finished. To repeat: npm run chaos -- --kills ${asked.kills} --seed ${asked.seed}`);
  process.exitCode = 1;
}

function readArguments(): { kills: number; seed: string; minutes: number | null } {
  try {
    const { values } = parseArgs({
      options: { kills: { type: "string" }, seed: { type: "string" }, minutes: { type: "string" } },
    });
    return {
      kills: wholeNumber("kills", values.kills ?? "40", KILLS_MOST),
      seed: values.seed ?? String(randomInt(1_000_000)),
      minutes: values.minutes === undefined ? null : wholeNumber("minutes", values.minutes, KILLS_MOST),
    };
  } catch (mistake) {
    console.error((mistake as Error).message);
    console.error("npm run chaos -- [--kills N] [--seed S] [--minutes M]");
    process.exit(USAGE_EXIT_CODE);
  }
}

function wholeNumber(name: string, given: string, most: number): number {
  const number = /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= most) return number;
  throw new Error(`--${name}: "${given}" is not a whole number from 1 to ${most}.`);
}
