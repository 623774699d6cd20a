/**
 * From bytes of output to numbered events. An event's number is where its line begins, plus its place within the line, from
 * 1: so it rises, is the same for everybody, and leads back into the output without anything remembered. Chunks may be cut
 * anywhere.
 *
 * Lines of the host itself (`{"camelot": …}`) stand between those of the agent: what was asked, answered and said.
 */
import { endedSentence, waitsSentence } from "./background";
import type { AgentEvent, NumberedEvent, StreamFormat } from "./events";
import { type Json, listOf, parseLine, textOf } from "./json";
import { readAcp } from "./read-acp";
import { readClaude } from "./read-claude";
import { readCodex } from "./read-codex";
import { readRefusedSetting } from "./refused-setting";

/** A longer line is told in pieces, as raw text: nobody has to hold more than this, in bytes. */
export const LINE_MAX_BYTES = 8_000_000;
/** Longest raw line in one event, in characters. */
const RAW_MAX = 4_000;
/** No line has more events; how far one must look back from an event's number for its line's beginning, in bytes. */
export const EVENTS_PER_LINE_MAX = 1_000;

const NEWLINE = 10;
const READERS = { claude: readClaude, codex: readCodex, acp: readAcp, text: () => null } as const;

/** Never throws: what is not understood is a raw event. */
export function readLine(format: StreamFormat, line: string): AgentEvent[] {
  const message = format === "text" ? null : parseLine(line);
  const known = message === null ? null : (readHostLine(message) ?? READERS[format](message));
  if (known !== null) return known.slice(0, EVENTS_PER_LINE_MAX);
  const text = line.replace(/\r$/, "");
  return text === "" ? [] : [{ kind: "raw", text: cutRaw(text) }];
}

function cutRaw(text: string): string {
  return text.length <= RAW_MAX ? text : `${text.slice(0, RAW_MAX)}…`;
}

function readHostLine(message: Json): AgentEvent[] | null {
  const id = textOf(message.id);
  switch (message.camelot) {
    case "begin":
      return [{ kind: "begin", conversation: textOf(message.conversation) }];
    case "lost":
      return [{ kind: "error", error: "conversation-lost", status: null, message: LOST, isOurs: true }];
    case "closed":
      return [
        { kind: "error", error: "other", status: null, message: CLOSED, isOurs: true },
        { kind: "end", reason: "error" },
      ];
    case "refused":
      return readRefusedSetting(message);
    case "waiting":
      return [{ kind: "background", state: "waiting", text: waitsSentence(textsOf(message.running)) }];
    case "ended":
      return [{ kind: "background", state: "ended", text: endedSentence(textsOf(message.running)) }];
    case "stray":
      return [{ kind: "raw", text: cutRaw(textOf(message.line) ?? "") }];
    case "message":
      return [{ kind: "person", id: null, text: textOf(message.text) ?? "", isOrder: true }];
    case "question": {
      const options = textsOf(message.options);
      return id === null ? [] : [{ kind: "question", id, text: textOf(message.text) ?? "", options }];
    }
    case "answer":
      return id === null ? [] : [{ kind: "answer", questionId: id, option: textOf(message.option) ?? "" }];
    default:
      return null;
  }
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((item): item is string => typeof item === "string");
}

const CLOSED = "The agent closed its output and reported no result.";
const LOST = "The earlier conversation is not there any more: a new one was begun.";

export interface LineReader {
  /** The next bytes; `offset` is where they begin. Bytes that do not follow the last ones begin a new line. */
  push(bytes: Uint8Array, offset: number): NumberedEvent[];
  /** The output is over: what a last line without an end says. */
  end(): NumberedEvent[];
  /** Where the line begins that is not complete yet: reading may go on from here with a new reader. */
  readonly lineStart: number;
}

export function createLineReader(format: StreamFormat, from = 0): LineReader {
  let parts: Uint8Array[] = [];
  let held = 0;
  let lineStart = from;
  let next = from;

  const take = (): NumberedEvent[] => {
    const line = new TextDecoder().decode(parts.length === 1 ? parts[0] : concat(parts, held));
    const start = lineStart;
    parts = [];
    held = 0;
    return readLine(format, line).map((event, place) => ({ n: start + place + 1, event }));
  };
  const hold = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    // A copy, because the caller may use its buffer again.
    parts.push(bytes.slice());
    held += bytes.length;
  };

  return {
    get lineStart() {
      return lineStart;
    },
    push(bytes, offset) {
      const events: NumberedEvent[] = [];
      if (offset !== next) {
        if (held > 0) events.push(...take());
        lineStart = offset;
      }
      next = offset + bytes.length;
      for (let at = 0; at < bytes.length; ) {
        const found = bytes.indexOf(NEWLINE, at);
        const room = LINE_MAX_BYTES - held;
        const stop = Math.min(found < 0 ? bytes.length : found, at + room);
        hold(bytes.subarray(at, stop));
        at = stop === found ? stop + 1 : stop;
        if (stop === found || held === LINE_MAX_BYTES) {
          events.push(...take());
          lineStart = offset + at;
        }
      }
      return events;
    },
    end() {
      return held > 0 ? take() : [];
    },
  };
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
