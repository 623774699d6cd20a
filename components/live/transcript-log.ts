/**
 * One session's transcript as it grows: output comes in at offsets, whole lines become events, events become what people
 * read. Bytes are let go as soon as they are read, so a long session costs what its transcript costs. Pure bookkeeping.
 */
import type { StreamFormat } from "@/server/core/agent/events";
import { createLineReader, type LineReader } from "@/server/core/agent/lines";
import { addToTranscript, EMPTY_TRANSCRIPT, type Transcript } from "@/server/core/agent/transcript";
import { addUsage, NOTHING_USED, type Usage, type UsageSum, usageOf } from "@/server/core/agent/usage";
import type { Arrived, OutputArrival } from "./output-log";

export interface TranscriptPicture {
  readonly transcript: Transcript;
  /** What it has used until now, without its cost, which is known when it ends. Null: nothing told yet. */
  readonly used: Usage | null;
  /** The agent is over and nothing follows. */
  readonly isComplete: boolean;
  /** Bytes that were read. */
  readonly bytes: number;
}

export const NO_TRANSCRIPT: TranscriptPicture = {
  transcript: EMPTY_TRANSCRIPT,
  used: null,
  isComplete: false,
  bytes: 0,
};

export class TranscriptLog {
  private readonly reader: LineReader;
  private transcript = EMPTY_TRANSCRIPT;
  private used: UsageSum = NOTHING_USED;
  private isComplete = false;
  private next = 0;

  constructor(format: StreamFormat) {
    this.reader = createLineReader(format);
  }

  /** The first byte it does not have. */
  get end(): number {
    return this.next;
  }

  get isWhole(): boolean {
    return this.isComplete;
  }

  picture(): TranscriptPicture {
    const { transcript, isComplete, next: bytes } = this;
    return { transcript, used: usageOf(this.used, true, null), isComplete, bytes };
  }

  /** What it has already is passed over; what would leave a hole is refused: then ask again from `end`. */
  take({ offset, next, bytes, complete }: OutputArrival): Arrived {
    if (offset > this.next) return "gap";
    if (next < this.next || this.isComplete) return "old";
    const held = this.next - offset;
    // Bytes that stand for a hole take no offsets, so such a message cannot be cut in the middle.
    if (held > 0 && bytes.length !== next - offset) return "gap";
    const fresh = bytes.subarray(held);
    // Behind a hole a new line begins: its first byte is counted back from its last one.
    const events = this.reader.push(fresh, next - fresh.length);
    if (complete) events.push(...this.reader.end());
    this.next = next;
    this.isComplete = complete;
    for (const { event } of events) this.used = addUsage(this.used, event);
    if (events.length > 0) this.transcript = addToTranscript(this.transcript, events);
    return "taken";
  }
}
