/**
 * `npm run bench [-- --small] [--minutes N] [name …]`: measures one thing after the other and prints one table. A whole run
 * keeps it as bench/results.json; any other goes to .camelot-build, so that it does not replace that one. `--plan` only
 * prints what the named measurements need, for `scripts/bench.mjs`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Size } from "./figures";
import { MEASUREMENTS, type Measurement } from "./measurements";
import { isAllMet, loadNow, type Measured, machine, type Report, table } from "./report";
import { leave } from "./support/leaving";

const MINUTES_USUAL = 1;
const MINUTES_MAX = 60;
const WHOLE = path.join("bench", "results.json");
const PARTIAL = path.join(".camelot-build", "bench.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: "boolean", default: false },
    minutes: { type: "string" },
    plan: { type: "boolean", default: false },
  },
});
const chosen = choose(positionals);
const size: Size = { isSmall: values.small, minutes: minutesOf(values.minutes) };

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => void leave().then(() => process.exit(1)));
if (values.plan) console.log(JSON.stringify(chosen.flatMap(({ needs }) => needs ?? [])));
else await run();
process.exit();

async function run(): Promise<void> {
  const measured: Measured[] = [];
  for (const measurement of chosen) measured.push(await measureOne(measurement));
  const words = ["npm run bench", ...(process.argv.length > 2 ? ["--", ...process.argv.slice(2)] : [])];
  const report: Report = {
    command: words.join(" "),
    at: new Date().toISOString(),
    machine: machine(),
    node: process.versions.node,
    measured,
  };
  const file = !size.isSmall && positionals.length === 0 ? WHOLE : PARTIAL;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${table(report)}\n\n${file} has the same as JSON.`);
  if (!isAllMet(report)) process.exitCode = 1;
}

async function measureOne({ name, measure }: Measurement): Promise<Measured> {
  const load = loadNow();
  const began = performance.now();
  console.log(`${name} … (load of the machine ${load.toFixed(1)})`);
  const result = { figures: [] as Measured["figures"], failure: null as string | null };
  try {
    result.figures = await measure(size, (line) => console.log(`  ${line}`));
  } catch (error) {
    console.error(error);
    result.failure = error instanceof Error ? error.message : String(error);
  }
  return { name, load, seconds: (performance.now() - began) / 1_000, ...result };
}

function choose(names: readonly string[]): readonly Measurement[] {
  const unknown = names.find((name) => !MEASUREMENTS.some((one) => one.name === name));
  if (unknown !== undefined) {
    console.error(
      `There is no measurement "${unknown}"; there are ${MEASUREMENTS.map(({ name }) => name).join(", ")}.`,
    );
    process.exit(1);
  }
  return names.length === 0 ? MEASUREMENTS : MEASUREMENTS.filter(({ name }) => names.includes(name));
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text ?? MINUTES_USUAL);
  if (minutes > 0 && minutes <= MINUTES_MAX) return minutes;
  console.error(`--minutes is a number of minutes up to ${MINUTES_MAX}, not "${text}".`);
  process.exit(1);
}
