/**
 * What one session of the load does, from the seed: how long, how many lines, and whether it is withdrawn. Its script leaves
 * marks in a file that the product knows nothing of, and says lines that are known beforehand, so that whether everything
 * happened once and whole can be told without asking the product. Pure.
 */
import { chanceOf } from "./chance";

export interface Errand {
  /** Unique in the run; stands in every line it says. */
  readonly token: string;
  readonly lines: number;
  readonly lastsMs: number;
  /** Withdrawn or stopped so long after its dispatch was answered; null: never. */
  readonly cancelAfterMs: number | null;
  /** Sent twice at once, as a double click would. */
  readonly isDoubleClick: boolean;
  /** Its output is read while it comes, from offset to offset. */
  readonly isFollowed: boolean;
}

const LASTS_LEAST_MS = 50;
const LASTS_MOST_MS = 500;
const LINES_MOST = 60;
/** Some say a lot at once, more than fits a pipe. */
const TALKATIVE_PART = 0.05;
const TALKATIVE_LINES = 4_000;
const CANCEL_PART = 0.12;
const CANCEL_MOST_MS = 1_500;
const DOUBLE_PART = 0.15;
const FOLLOWED_PART = 0.15;
/** The script says its lines in so many pieces, with pauses between. */
const PIECES = 5;

export function errandOf(seed: string, user: number, index: number): Errand {
  const token = `u${user}n${index}`;
  const chance = chanceOf(`errand ${seed} ${token}`);
  return {
    token,
    lines: chance.happens(TALKATIVE_PART) ? TALKATIVE_LINES : chance.between(PIECES, LINES_MOST),
    lastsMs: chance.between(LASTS_LEAST_MS, LASTS_MOST_MS),
    cancelAfterMs: chance.happens(CANCEL_PART) ? chance.between(0, CANCEL_MOST_MS) : null,
    isDoubleClick: chance.happens(DOUBLE_PART),
    isFollowed: chance.happens(FOLLOWED_PART),
  };
}

/** Appends to `marksFile`, whole lines each in one write: kind, run mark, microseconds since 1970, process, token. */
export function scriptOf({ token, lines, lastsMs }: Errand, marksFile: string): string {
  return `${markingOf(token, marksFile)}
mark start
for ((i = 1; i <= ${lines}; i++)); do
  printf '%s\\n' "${lineOf(token, "$i")}"
  if ((i % ${Math.ceil(lines / PIECES)} == 0)); then sleep ${(lastsMs / PIECES / 1_000).toFixed(3)}; fi
done
mark end
`;
}

/** Holds its slot until `gate` exists: to see whether every slot can be had. */
export function waitingScriptOf(token: string, marksFile: string, gate: string): string {
  return `${markingOf(token, marksFile)}
mark start
until [ -e '${gate}' ]; do sleep 0.1; done
printf '%s\\n' "${lineOf(token, "1")}"
mark end
`;
}

/** The bytes it says when it comes to its end. */
export function outputOf({ token, lines }: Pick<Errand, "token" | "lines">): Buffer {
  return Buffer.from(Array.from({ length: lines }, (_, index) => `${lineOf(token, String(index + 1))}\n`).join(""));
}

function lineOf(token: string, number: string): string {
  return `${token} ${number} déjà vu, 三度目`;
}

function markingOf(token: string, marksFile: string): string {
  return `export LC_ALL=C
mark() { printf '%s %s %s %s %s\\n' "$1" "$CAMELOT_RUN" "\${EPOCHREALTIME/./}" "$$" '${token}' >>'${marksFile}'; }`;
}
