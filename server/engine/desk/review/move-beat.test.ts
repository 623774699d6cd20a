import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startMoveBeat } from "./move-beat";

let answers: (boolean | Error)[];
let mayDrive: boolean;
let looks: number;
let beat: ReturnType<typeof startMoveBeat>;
const warnings: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  [answers, mayDrive, looks] = [[], true, 0];
  warnings.length = 0;
});
afterEach(() => {
  beat.stop();
  vi.useRealTimers();
});

function begin(): void {
  const mendMoves = async () => {
    looks += 1;
    const answer = answers.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  beat = startMoveBeat({
    workspace: { mendMoves },
    pool: { mayDrive: () => mayDrive },
    log: { warn: (line) => warnings.push(line) },
  });
}

/** Looks within these seconds, without the one at the very beginning. */
async function within(seconds: number): Promise<number> {
  const before = looks;
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  return looks - before;
}

test("[W4][P19] only the server that may drive mends, and soon after it took over", async () => {
  mayDrive = false;
  begin();
  expect(await within(600)).toBe(0);
  mayDrive = true;
  expect(await within(1)).toBe(1);
  mayDrive = false;
  expect(await within(600)).toBe(0);
});

test("[W4] what is left is tried again soon, then calmly; a look that fails is said and tried again", async () => {
  answers = [new Error("the disk is full"), ...Array.from({ length: 100 }, () => false)];
  begin();
  expect(await within(7)).toBe(3);
  expect(await within(600)).toBeLessThan(16);
  expect(warnings).toEqual(["merges that were cut off could not be looked for: the disk is full"]);
  answers = [];
  await within(60);
  expect(await within(60)).toBe(6);
});
