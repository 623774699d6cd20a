/**
 * What this process knows of one attempt that it attends, and the bell that wakes its watcher. Lives as long as the
 * attempt is attended and can be thrown away at any moment: the row and the run folder hold all that matters.
 */
import type { LiveSession } from "../../core/pool/picture";
import type { Question } from "../../core/session/question";
import type { AttemptRef, SessionPhase } from "../../core/words";
import type { Runner } from "../../ports/runner";
import type { SessionFacts } from "../../ports/session-record";
import { createOutputTail, type OutputTail } from "./output-tail";
import type { NotStarted } from "./session-start";
import type { SummaryTail } from "./summary-tail";

export interface Life {
  readonly run: AttemptRef;
  /** Breaks off what happens before the host is spawned. */
  readonly abort: AbortController;
  readonly tail: OutputTail;
  /** Of an agent with a protocol, once it is known what it is. */
  summaryTail: SummaryTail | null;
  phase: SessionPhase | null;
  /** A cancel is committed: everything goes towards the end. */
  isStopping: boolean;
  /** The server leaves: everything is dropped where it stands (R5). */
  isDetached: boolean;
  facts: SessionFacts | null;
  /**
   * Granted, and neither was a host asked for nor has anything gone wrong: a server that leaves may give the slot back as
   * if it had not been granted, and the next one may start the same attempt (R5).
   */
  isUntouched: boolean;
  /** Monotonic time until which a host that we spawned may still claim; 0: there is none to wait for. */
  claimUntil: number;
  /** What the agent waits for an answer to, as it was told last (R12). */
  question: Question | null;
  /** Monotonic time at which it counts as unanswered; null: nothing is asked, or not known yet. */
  answerUntil: number | null;
  /** Nobody answered in time: it is to end as `no-answer`. */
  isUnanswered: boolean;
  /** An administrator gave up a runner that cannot be found out about (R3). */
  isDeclaredLost: boolean;
  /** What to say if no host ever claims. */
  notStarted: NotStarted;
  /** Monotonic time of the first order to stop. */
  stopAskedAt: number | null;
  lastAction: string | null;
  lastActionAt: number;
  /** Monotonic time at which it was told that the agent writes; null: not yet. */
  outputToldAt: number | null;
  /** It has written since then. */
  hasUntoldOutput: boolean;
  /** It was taken over from an earlier server, and nobody was told yet. */
  isNewlyAdopted: boolean;
  /** A progress is on its way to the rows. */
  isTelling: boolean;
  /** Ends this start's turn among the starts; harmless twice. */
  endTurn: () => void;
  /** This server is done with it: the agent goes on, a half-made start is broken off, nothing more is told (R5, P19). */
  detach(): void;
  /** Something may have changed: look again. */
  wake(): void;
  /** Resolves at the next hint or after the beat, but not before the gap. */
  rest(gapMs: number, beatMs: number): Promise<void>;
  /** Waits that long; stop and detach do not wait for it. */
  pause(ms: number): Promise<void>;
}

const FOUND_UNSTARTED: NotStarted = {
  kind: "not-started",
  sentence: "The server stopped before the agent could start.",
  mayRetry: true,
};

export function createLife(session: LiveSession, entry: "granted" | "adopted", runner: Runner): Life {
  const run = { sessionId: session.id, attempt: session.attempt };
  let isHinted = false;
  let ring = () => {};

  const bell = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const life: Life = {
    run,
    abort: new AbortController(),
    tail: createOutputTail(runner, run),
    summaryTail: null,
    phase: session.phase,
    isStopping: session.phase === "stopping",
    isDetached: false,
    facts: null,
    isUntouched: entry === "granted",
    claimUntil: 0,
    question: null,
    answerUntil: null,
    isUnanswered: false,
    isDeclaredLost: false,
    notStarted: FOUND_UNSTARTED,
    stopAskedAt: null,
    lastAction: null,
    lastActionAt: 0,
    outputToldAt: null,
    hasUntoldOutput: false,
    isNewlyAdopted: entry === "adopted",
    isTelling: false,
    endTurn: () => {},
    detach() {
      life.isDetached = true;
      life.abort.abort(new Error("The server stops."));
      life.wake();
    },
    wake() {
      isHinted = true;
      ring();
    },
    async rest(gapMs, beatMs) {
      await new Promise((resolve) => setTimeout(resolve, gapMs));
      if (!isHinted) await bell(beatMs - gapMs);
      isHinted = false;
    },
    async pause(ms) {
      await bell(ms);
    },
  };
  return life;
}
