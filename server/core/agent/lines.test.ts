import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NumberedEvent, StreamFormat } from "./events";
import { createLineReader, LINE_MAX_BYTES, readLine } from "./lines";
import { NOTHING_SAID, summarize } from "./summary";
import { addToTranscript, EMPTY_TRANSCRIPT } from "./transcript";
import { limitUntil, troubleOf } from "./trouble";

const FOLDER = join(import.meta.dirname, "streams");
const RECORDINGS = readdirSync(FOLDER).map((name) => ({
  format: formatOf(name),
  bytes: new Uint8Array(readFileSync(join(FOLDER, name))),
}));

function formatOf(name: string): StreamFormat {
  if (name.startsWith("acp.")) return "acp";
  return name.startsWith("claude") ? "claude" : "codex";
}

function readInPieces(format: StreamFormat, bytes: Uint8Array, cuts: readonly number[]): NumberedEvent[] {
  const reader = createLineReader(format);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  const events = places.slice(1).flatMap((end, i) => reader.push(bytes.subarray(places[i] ?? 0, end), places[i] ?? 0));
  return [...events, ...reader.end()];
}

const recording = fc.constantFrom(...RECORDINGS);
const cuts = fc.array(fc.nat(60_000), { maxLength: 40 });

describe("reading what agents write", () => {
  it("[A4] however it is cut, the events, the transcript and the summary are the same", () => {
    fc.assert(
      fc.property(recording, cuts, fc.nat(50), ({ format, bytes }, places, step) => {
        const whole = readInPieces(format, bytes, []);
        const inPieces = readInPieces(format, bytes, places);
        expect(inPieces).toEqual(whole);
        let transcript = EMPTY_TRANSCRIPT;
        for (let at = 0; at < whole.length; at += step + 1) {
          // With an overlap, as after a lost connection.
          transcript = addToTranscript(transcript, whole.slice(Math.max(0, at - 3), at + step + 1));
        }
        expect(transcript).toEqual(addToTranscript(EMPTY_TRANSCRIPT, whole));
      }),
      { numRuns: 60 },
    );
  });

  it("[A4] numbers rise, and reading goes on from the beginning of any event's line with nothing remembered", () => {
    fc.assert(
      fc.property(recording, fc.nat(), ({ format, bytes }, pick) => {
        const whole = readInPieces(format, bytes, []);
        expect(whole.every(({ n }, i) => i === 0 || n > (whole[i - 1]?.n ?? 0))).toBe(true);
        const chosen = whole[pick % whole.length];
        const start = bytes.lastIndexOf(10, (chosen?.n ?? 0) - 2) + 1;
        const reader = createLineReader(format, start);
        const rest = [...reader.push(bytes.subarray(start), start), ...reader.end()];
        expect(rest).toEqual(whole.filter(({ n }) => n > start));
      }),
      { numRuns: 60 },
    );
  });

  it("[A4] junk, torn lines and messages of any shape never throw", () => {
    const format = fc.constantFrom<StreamFormat>("claude", "codex", "acp", "text");
    const type = fc.constantFrom("assistant", "user", "result", "system", "stream_event", "control_request");
    const method = fc.constantFrom(
      "session/update",
      "item/completed",
      "turn/completed",
      "error",
      "thread/tokenUsage/updated",
    );
    const message = fc.record(
      {
        type,
        method,
        id: fc.jsonValue(),
        message: fc.jsonValue(),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        event: fc.jsonValue(),
        error: fc.jsonValue(),
        camelot: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      message.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(format, fc.array(line, { maxLength: 20 }), (known, lines) => {
        const events = lines.flatMap((text, n) => readLine(known, text).map((event) => ({ n, event })));
        events.reduce((sum, { event }) => summarize(sum, event), NOTHING_SAID);
        addToTranscript(EMPTY_TRANSCRIPT, events);
      }),
      { numRuns: 300 },
    );
  });

  it("[A4] a recording with a line torn or lost still tells the rest", () => {
    fc.assert(
      fc.property(recording, fc.nat(60_000), fc.nat(2_000), ({ format, bytes }, from, length) => {
        const start = from % bytes.length;
        const reader = createLineReader(format);
        reader.push(bytes.subarray(0, start), 0);
        reader.push(bytes.subarray(Math.min(bytes.length, start + length)), start + length);
        reader.end();
      }),
      { numRuns: 60 },
    );
  });

  it("[R6] a line without end is told in pieces, so nobody holds more than the longest line", () => {
    const reader = createLineReader("claude");
    const piece = new Uint8Array(1_000_000).fill(120);
    let count = 0;
    for (let at = 0; at < 2 * LINE_MAX_BYTES; at += piece.length) count += reader.push(piece, at).length;
    expect(count).toBe(2);
  });
});

describe("what people see of a tool", () => {
  it("[W1] a file of the task's worktree is told without where that lies", () => {
    const title = (path: string) => {
      const block = { type: "tool_use", id: "t", name: "Write", input: { file_path: path } };
      const [event] = readLine("claude", JSON.stringify({ type: "assistant", message: { content: [block] } }));
      return event?.kind === "tool" ? event.title : null;
    };
    expect(title("/srv/data/worktrees/p1/2-say hello/src/a.ts")).toBe("Write src/a.ts");
    expect(title("/etc/hosts")).toBe("Write /etc/hosts");
  });
});

describe("what an error means", () => {
  it("[A8] by its status, else by its words", () => {
    const kind = (message: string, status: number | null = null) => troubleOf(message, status).error;
    expect(kind("Invalid API key · Please run /login")).toBe("not-logged-in");
    expect(kind("unexpected status 401 Unauthorized: fake 401")).toBe("not-logged-in");
    expect(kind("Claude AI usage limit reached|1795981896")).toBe("usage-limit");
    expect(kind("You've hit your usage limit. Try again in 2 hours 5 minutes.")).toBe("usage-limit");
    expect(kind("fake 429", 429)).toBe("usage-limit");
    expect(kind("API Error: 529 overloaded")).toBe("service");
    expect(kind("stream disconnected before completion: error sending request")).toBe("connection");
    expect(kind("No conversation found with session ID: 5240c88d")).toBe("conversation-lost");
    expect(kind("exception TypeError: fetch failed sending request", 500)).toBe("connection");
    expect(kind("fake 500", 500)).toBe("service");
    expect(kind("fake 400", 400)).toBe("refused");
    expect(kind("something odd")).toBe("other");
  });

  it("[A8] until when a limit holds, if the words say it", () => {
    expect(limitUntil("Claude AI usage limit reached|1795981896", 0)).toBe(1_795_981_896_000);
    expect(limitUntil("Try again in 2 hours 5 minutes.", 1_000)).toBe(1_000 + 125 * 60_000);
    expect(limitUntil("Please try again in 20s", 0)).toBe(20_000);
    expect(limitUntil("fake 429", 0)).toBeNull();
  });
});
