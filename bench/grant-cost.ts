/** What one grant costs when very many wait, beside what it costs when few do, in the core and in one process, in turns. */
import { atMost, type Measure } from "./figures";
import type { Costs } from "./programs/grant-cost";
import { runProgram } from "./support/program";

const SIZES = {
  full: { few: { sessions: 1_000, users: 100 }, many: { sessions: 1_000_000, users: 100_000 }, rounds: 2_000 },
  small: { few: { sessions: 100, users: 10 }, many: { sessions: 10_000, users: 1_000 }, rounds: 100 },
};
const MOST_TIMES = 3;

export const measureGrantCost: Measure = async ({ isSmall }) => {
  const size = SIZES[isSmall ? "small" : "full"];
  const { fewMs, manyMs } = await runProgram<Costs>("grant-cost", size);
  const of = ({ sessions, users }: { sessions: number; users: number }) =>
    `${sessions.toLocaleString("en")} queued of ${users.toLocaleString("en")} users`;
  const times = manyMs / fewMs;
  return [
    { what: `one ending, dispatch and grant with ${of(size.few)}, p50`, value: fewMs, unit: "ms" },
    { what: `one ending, dispatch and grant with ${of(size.many)}, p50`, value: manyMs, unit: "ms" },
    { what: "the second beside the first", value: times, unit: "×", target: atMost(times, MOST_TIMES, "×") },
  ];
};
