/**
 * Reads along what an agent with a protocol writes, and keeps the summary of it (what it does, used and reported). Reads every
 * byte once, piece by piece, so that it never holds up anything else; after a restart it begins again at the first byte.
 */
import type { StreamFormat } from "../../core/agent/events";
import { createLineReader } from "../../core/agent/lines";
import { NOTHING_SAID, type Summary, summarize } from "../../core/agent/summary";
import type { AttemptRef } from "../../core/words";
import type { Runner } from "../../ports/runner";

/** Bytes per look: parsing them takes a few milliseconds. */
const PIECE_BYTES = 256 * 1024;
/** Looks per call while the agent runs. */
const LOOKS_MAX = 16;

export interface SummaryTail {
  /** With what was written since the last call, or a good part of it. */
  catchUp(): Promise<Summary>;
  /** With all of it, once the agent is over. */
  finish(): Promise<Summary>;
}

export function createSummaryTail(runner: Pick<Runner, "read">, run: AttemptRef, format: StreamFormat): SummaryTail {
  const reader = createLineReader(format);
  let summary = NOTHING_SAID;
  let offset = 0;

  const take = (events: ReturnType<typeof reader.push>) => {
    for (const { event } of events) summary = summarize(summary, event);
  };
  /** True: nothing more is there now. */
  const look = async () => {
    const { bytes, next } = await runner.read(run, offset, PIECE_BYTES);
    // Where something was left out, `next` is not what the bytes would lead to: the reader begins a new line there.
    take(reader.push(bytes, next - bytes.length));
    const isEnd = next === offset;
    offset = next;
    return isEnd;
  };

  return {
    async catchUp() {
      for (let looks = 0; looks < LOOKS_MAX; looks++) if (await look()) break;
      return summary;
    },
    async finish() {
      while (!(await look()));
      take(reader.end());
      return summary;
    },
  };
}
