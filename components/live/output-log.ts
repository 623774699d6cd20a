/**
 * A window on one session's output: bytes at offsets, in order, without gap or double (R6). Pure bookkeeping; the socket
 * and the fetching are elsewhere. Text is decoded across the borders of messages, so a character that was cut in two is
 * whole. Holds at most `WINDOW_MAX_BYTES`: what grows at one end is let go at the other, and can be read again.
 */

/** Bytes held for one session in one tab. */
const WINDOW_MAX_BYTES = 4_000_000;
/** One message brings at most so many. */
const MESSAGE_MAX_BYTES = 140_000;
/** A piece that reaches this size is closed, so that letting go of old output is cheap. */
const PIECE_MAX_BYTES = 64_000;

export interface OutputPiece {
  /** Where it stands; also its key on the screen. */
  readonly offset: number;
  readonly next: number;
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface OutputWindow {
  /** Held are the bytes [start, end). */
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly OutputPiece[];
  /** The agent is over and nothing follows. */
  readonly isComplete: boolean;
}

export interface OutputArrival {
  readonly offset: number;
  readonly next: number;
  readonly bytes: Uint8Array;
  readonly complete: boolean;
}

export type Arrived = "taken" | "old" | "gap";

export class OutputLog {
  private decoder = new TextDecoder("utf-8");
  private pieces: OutputPiece[] = [];
  private start: number;
  private end: number;
  private isComplete = false;
  private readonly maxBytes: number;

  constructor(start = 0, maxBytes = WINDOW_MAX_BYTES) {
    this.start = start;
    this.end = start;
    this.maxBytes = maxBytes;
  }

  /** No room for another message, unless something is let go. */
  get isFull(): boolean {
    return this.heldBytes() + MESSAGE_MAX_BYTES > this.maxBytes;
  }

  window(): OutputWindow {
    return { start: this.start, end: this.end, pieces: this.pieces.slice(), isComplete: this.isComplete };
  }

  /** New output. What is held already is skipped, what would leave a hole is refused: then ask again from `end`. */
  take(arrival: OutputArrival): Arrived {
    if (arrival.offset > this.end) return "gap";
    if (arrival.complete && arrival.next === this.end) this.isComplete = true;
    if (arrival.next <= this.end) return "old";
    const held = this.end - arrival.offset;
    // Bytes that stand for a hole take no offsets, so such a message cannot be cut in the middle.
    const isPlain = arrival.bytes.length === arrival.next - arrival.offset;
    if (held > 0 && !isPlain) return "gap";
    this.append(held > 0 ? arrival.bytes.subarray(held) : arrival.bytes, arrival.next, arrival.complete);
    return "taken";
  }

  /** Forgets everything and goes on with this, wherever it begins: one follows the end and has leapt to it. */
  leap(arrival: OutputArrival): void {
    this.pieces = [];
    this.start = arrival.offset;
    this.end = arrival.offset;
    this.isComplete = false;
    this.decoder = new TextDecoder("utf-8");
    this.take(arrival);
  }

  /** Lets go of the oldest quarter, so that later output finds room. */
  makeRoom(): void {
    this.letGoOldest((this.maxBytes * 3) / 4);
  }

  /** Older output that ends exactly where the window starts; the newest is let go where there is no room for both. */
  prepend(offset: number, bytes: Uint8Array): Arrived {
    if (this.start === 0 || bytes.length === 0) return "old";
    const isPlain = offset + bytes.length === this.start;
    const aligned = offset === 0 || !isPlain ? 0 : alignment(bytes);
    // Not flushed: the rest of a character that the window's first piece completes belongs to that piece's text.
    const text = new TextDecoder("utf-8").decode(bytes.subarray(aligned), { stream: true });
    this.pieces.unshift({ offset: offset + aligned, next: this.start, bytes: bytes.subarray(aligned), text });
    this.start = offset + aligned;
    this.letGoNewest();
    return "taken";
  }

  private append(bytes: Uint8Array, next: number, complete: boolean): void {
    const isPlain = bytes.length === next - this.end;
    const isFirst = this.pieces.length === 0 && this.start === this.end;
    const aligned = isFirst && this.start > 0 && isPlain ? alignment(bytes) : 0;
    if (aligned > 0) this.start = this.end + aligned;
    const kept = bytes.subarray(aligned);
    const offset = this.end + aligned;
    const text = this.decoder.decode(kept, { stream: !complete });
    this.add({ offset, next, bytes: kept, text });
    this.end = next;
    this.isComplete = complete;
    this.letGoOldest(this.maxBytes);
  }

  private add(piece: OutputPiece): void {
    const last = this.pieces.at(-1);
    if (last === undefined || last.bytes.length + piece.bytes.length > PIECE_MAX_BYTES) {
      this.pieces.push(piece);
      return;
    }
    const bytes = new Uint8Array(last.bytes.length + piece.bytes.length);
    bytes.set(last.bytes);
    bytes.set(piece.bytes, last.bytes.length);
    this.pieces[this.pieces.length - 1] = {
      offset: last.offset,
      next: piece.next,
      bytes,
      text: last.text + piece.text,
    };
  }

  private heldBytes(): number {
    let held = 0;
    for (const piece of this.pieces) held += piece.bytes.length;
    return held;
  }

  private letGoOldest(mostBytes: number): void {
    let held = this.heldBytes();
    while (held > mostBytes && this.pieces.length > 1) {
      const oldest = this.pieces.shift();
      held -= oldest?.bytes.length ?? 0;
    }
    this.start = this.pieces[0]?.offset ?? this.end;
  }

  private letGoNewest(): void {
    let held = this.heldBytes();
    if (held <= this.maxBytes) return;
    while (held > this.maxBytes && this.pieces.length > 1) {
      const newest = this.pieces.pop();
      held -= newest?.bytes.length ?? 0;
    }
    const last = this.pieces.at(-1);
    this.end = last?.next ?? this.start;
    this.isComplete = false;
    // The first bytes of a character whose rest was let go are waited for again.
    this.decoder = new TextDecoder("utf-8");
    if (last !== undefined) this.decoder.decode(last.bytes, { stream: true });
  }
}

/** How many bytes to leave out so that text begins with a line, or at least with a whole character. */
function alignment(bytes: Uint8Array): number {
  const line = bytes.indexOf(10);
  if (line >= 0 && line < bytes.length - 1) return line + 1;
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
