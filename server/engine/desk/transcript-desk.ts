/**
 * A session's output as numbered events (`/events`), read from the run's own output each time: nothing is kept in between, so
 * any server answers the same. An event's number leads back to its line (core/agent/lines.ts).
 */
import type { NumberedEvent, StreamFormat } from "../../core/agent/events";
import { createLineReader, EVENTS_PER_LINE_MAX, LINE_MAX_BYTES } from "../../core/agent/lines";
import { formatOf } from "../../core/agent/talking-agents";
import { type AttemptRef, isLive, type SessionId } from "../../core/words";
import type { Runner } from "../../ports/runner";
import type { SessionStore } from "../../ports/session-store";
import { NOT_THERE, type Refusal } from "./refusal";

/** Bytes of output that become one answer; more, if not even one line ends within them. */
const PIECE_BYTES = 1_000_000;
const NEWLINE = 10;

export interface TranscriptDeskParts {
  readonly sessions: Pick<SessionStore, "session" | "agentKind">;
  readonly runner: Pick<Runner, "read">;
}

export interface EventsPiece {
  readonly kind: "events";
  /** In which language the output is written that they were read from. */
  readonly format: StreamFormat;
  readonly events: readonly NumberedEvent[];
  /** Ask for what comes after it. */
  readonly next: number;
  /** The agent is over and nothing follows. */
  readonly complete: boolean;
}

export type TranscriptDesk = ReturnType<typeof createTranscriptDesk>;

export function createTranscriptDesk({ sessions, runner }: TranscriptDeskParts) {
  return {
    /** `after`: the number of the newest event that is known already; 0: none. */
    async events(id: SessionId, after: number): Promise<EventsPiece | Refusal> {
      // The row first: once it says that the session is over, its last byte is there to be read (R6).
      const row = await sessions.session(id);
      if (row === null) return NOT_THERE;
      const isOver = !isLive(row.status);
      const format = formatOf((await sessions.agentKind(id)) ?? "");
      if (row.startedAt === null && row.attempt === 1)
        return { kind: "events", format, events: [], next: after, complete: isOver };
      if (row.outputRemoved) return removed(format, after);
      const run = { sessionId: id, attempt: row.attempt };
      const start = await lineStartOf(runner, run, after);
      const reader = createLineReader(format, start);
      const found: NumberedEvent[] = [];
      let offset = start;
      for (;;) {
        const { bytes, next, complete } = await runner.read(run, offset, PIECE_BYTES);
        found.push(...reader.push(bytes, next - bytes.length));
        const isEnd = complete || (isOver && bytes.length === 0);
        if (isEnd) found.push(...reader.end());
        const isEnough = reader.lineStart > start || next === offset || next - start > 2 * LINE_MAX_BYTES;
        offset = next;
        if (!isEnd && !isEnough) continue;
        const events = found.filter(({ n }) => n > after);
        // Lines without events are behind us as well.
        const seen = Math.max(after, reader.lineStart, events.at(-1)?.n ?? 0);
        return { kind: "events", format, events, next: seen, complete: isEnd };
      }
    },
  };
}

/** Where the line begins in which the event with this number was read. */
async function lineStartOf(runner: Pick<Runner, "read">, run: AttemptRef, n: number): Promise<number> {
  // The line begins at n - 1, or not far before.
  const end = n - 1;
  if (end <= 0) return 0;
  const from = Math.max(0, end - EVENTS_PER_LINE_MAX);
  const { bytes, next } = await runner.read(run, from, end - from);
  const found = bytes.lastIndexOf(NEWLINE);
  if (found < 0) return from === 0 ? 0 : end;
  return next - bytes.length + found + 1;
}

function removed(format: StreamFormat, after: number): EventsPiece {
  const events = after < 1 ? [{ n: 1, event: { kind: "raw", text: "[… output removed …]" } } as const] : [];
  return { kind: "events", format, events, next: Math.max(after, 1), complete: true };
}
