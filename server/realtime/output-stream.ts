/**
 * One socket's stream of one session's output: bytes from an offset to the last one, in order, no gap and no double (R6, L3).
 * A reader who follows the end leaps: what lies too far before it is not sent, so that the last line is there when the agent
 * is over, however much came before (LOG-3). The next piece is read only when the former has left for the network, so a
 * stream holds one piece whatever the output is. The runner's hints only say when to look; what is true is what was read.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OutputMessage } from "../contract/live";
import type { LiveSession } from "../core/pool/picture";
import { reasonOf } from "../core/text/reason";
import type { SessionId } from "../core/words";
import type { Runner } from "../ports/runner";
import type { SessionPlace, SessionPlaces } from "../ports/views";

/** Bytes of one message. */
const PIECE_BYTES = 128 * 1024;
/** Messages of growing output are at least this far apart, ms (L2). */
const EVERY_MS = 100;
/** Without a hint it is looked again after this many ms: hints may be lost. */
const LOOK_AGAIN_MS = 1_000;

export interface OutputStream {
  /** Something about the session changed in the pool. */
  hint(): void;
  stop(): void;
}

export interface OutputStreamParts {
  readonly sessionId: SessionId;
  readonly from: number;
  /** How many bytes a reader who follows the end may lie behind before it leaps; null: it wants every byte. */
  readonly tail: number | null;
  readonly runner: Pick<Runner, "read" | "extent" | "watch">;
  readonly places: SessionPlaces;
  readonly live: (sessionId: SessionId) => LiveSession | undefined;
  readonly send: (message: OutputMessage) => unknown;
  readonly drained: () => Promise<void>;
  readonly warn: (message: string) => void;
}

export function streamOutput(parts: OutputStreamParts, first: SessionPlace): OutputStream {
  const { sessionId, tail, runner, warn } = parts;
  const bell = createBell();
  let isStopped = false;
  let place = first;
  let unwatch = runner.watch(place.run, bell.ring);

  async function locate(): Promise<void> {
    const live = parts.live(sessionId);
    const found = live
      ? { ...place, run: { sessionId, attempt: live.attempt }, isOver: false }
      : place.isOver
        ? place
        : await parts.places.placeOf(sessionId);
    if (found && found.run.attempt !== place.run.attempt && !isStopped) {
      unwatch();
      unwatch = runner.watch(found.run, bell.ring);
    }
    place = found ?? { ...place, isOver: true };
  }

  /** Where to read on. */
  async function leapt(at: number): Promise<number> {
    return tail === null ? at : Math.max(at, (await runner.extent(place.run)).end - tail);
  }

  /** Sends what there is. `isOver`: that was the last byte. */
  async function sendOn(before: number): Promise<{ at: number; isOver: boolean; isMore: boolean }> {
    await locate();
    const wasOver = place.isOver;
    const at = await leapt(before);
    const chunk = await runner.read(place.run, at, tail ?? PIECE_BYTES);
    const next = Math.max(at, chunk.next);
    const isNothing = chunk.bytes.length === 0 && next === at;
    // An attempt that was given up before it acted reads as over and empty while the next one is on its way.
    const isEnd = chunk.complete && (wasOver || next > 0);
    const isOver = isEnd || (wasOver && isNothing);
    if (isStopped || (isNothing && !isOver)) return { at, isOver: false, isMore: false };
    parts.send({ sessionId, offset: at, next, bytes: chunk.bytes, complete: isOver });
    // Nobody reads faster than one piece at a time: who follows the end is shown it again after the pause.
    return { at: next, isOver, isMore: tail === null && chunk.bytes.length >= PIECE_BYTES / 2 };
  }

  async function run(): Promise<void> {
    let at = parts.from;
    while (!isStopped) {
      try {
        const step = await sendOn(at);
        at = step.at;
        if (step.isOver) break;
        await parts.drained();
        await (step.isMore ? nextTurn() : bell.heard(EVERY_MS, LOOK_AGAIN_MS));
      } catch (error) {
        warn(`the output of session ${sessionId} could not be read: ${reasonOf(error)}`);
        await bell.heard(LOOK_AGAIN_MS, LOOK_AGAIN_MS);
      }
    }
    unwatch();
  }

  void run();
  return {
    hint: bell.ring,
    stop() {
      isStopped = true;
      bell.ring();
    },
  };
}

/** Remembers one ring; waiting takes at least `leastMs` (so that rings are joined) and at most `mostMs`. */
function createBell() {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async heard(leastMs: number, mostMs: number): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, leastMs));
      if (!isRung && mostMs > leastMs) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, mostMs - leastMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      isRung = false;
    },
  };
}
