/**
 * Running rows and waiters are made to agree (P8, P12). What this process granted and nobody attends is attended; what
 * somebody else left running is asked about, side by side, and nothing is granted until all have answered or two seconds are
 * over. Who does not answer keeps the slot and is handed to a waiter. A waiter whose attempt is not held is told to stop.
 */
import type { LiveSession } from "../../../core/pool/picture";
import type { RunningRow } from "../../../core/pool/rows";
import { type Ended, NOTHING_LEFT } from "../../../core/session/lifecycle";
import type { AttemptRef, Epoch } from "../../../core/words";
import type { Clock } from "../../../ports/clock";
import type { BootProbe, Verdict } from "../../pool";
import type { PoolWatch } from "./watch";
import type { PoolWriter } from "./writer";

const PROBE_MS = 2_000;

export interface BootOptions {
  readonly watch: PoolWatch;
  readonly probe: BootProbe;
  readonly clock: Clock;
  readonly log: { info(message: string): void };
  readonly release: (run: AttemptRef, ended: Ended) => void;
  readonly requeue: (run: AttemptRef) => void;
}

export class PoolBoot {
  readonly #options: BootOptions;
  /** Terms of this process: what they granted has never been attended by anybody else. */
  readonly #ownEpochs = new Set<Epoch>();

  constructor(options: BootOptions) {
    this.#options = options;
  }

  begins(epoch: Epoch): void {
    this.#ownEpochs.add(epoch);
  }

  /** Another server is the writer and looks after what was granted here; what comes back comes back as a stranger. */
  forget(): void {
    this.#ownEpochs.clear();
  }

  /** Started by an earlier server, or under another one, and not looked at here yet. */
  isStranger(row: RunningRow): boolean {
    return !this.#options.watch.isWatched(runOf(row)) && !this.#ownEpochs.has(row.epoch);
  }

  /** After every reading of rows. Resolves when every stranger has been looked at. */
  async resume(writer: PoolWriter): Promise<void> {
    const { watch } = this.#options;
    const strangers: RunningRow[] = [];
    for (const [, row] of writer.state.running) {
      if (this.isStranger(row)) strangers.push(row);
      else this.#attend(writer, row, "granted");
    }
    watch.stopStrangers();
    await Promise.all(strangers.map((row) => this.#lookAt(writer, row)));
  }

  async #lookAt(writer: PoolWriter, row: RunningRow): Promise<void> {
    const session = writer.snapshot.session(row.id);
    if (!session) return;
    const verdict = await this.#verdictOn(session);
    const { clock, log, release, requeue } = this.#options;
    if (verdict.kind !== "adopt") log.info(`session ${row.id}: found at boot: ${verdict.kind}`);
    switch (verdict.kind) {
      case "adopt":
      case "unknown":
        return this.#attend(writer, row, "adopted");
      case "finish":
        return release(runOf(row), verdict.ended);
      case "requeue":
        return requeue(runOf(row));
      case "lost": {
        const failure = { kind: "runner-lost", detail: verdict.detail } as const;
        return release(runOf(row), { ...NOTHING_LEFT, status: "failed", failure, endedAt: clock.now() });
      }
      default:
        return verdict satisfies never;
    }
  }

  async #verdictOn(session: LiveSession): Promise<Verdict> {
    let timer: NodeJS.Timeout | undefined;
    const unanswered = new Promise<Verdict>((resolve) => {
      timer = setTimeout(() => resolve({ kind: "unknown" }), PROBE_MS);
    });
    const answered = Promise.resolve()
      .then(() => this.#options.probe(session))
      .catch((): Verdict => ({ kind: "unknown" }));
    const verdict = await Promise.race([answered, unanswered]);
    clearTimeout(timer);
    return verdict;
  }

  /** As memory has it now: it may have ended, or been cancelled, while it was looked at. */
  #attend(writer: PoolWriter, found: RunningRow, entry: "granted" | "adopted"): void {
    const { watch } = this.#options;
    const row = writer.state.sessions.get(found.id);
    const session = writer.snapshot.session(found.id);
    if (!session || row?.status !== "running" || row.attempt !== found.attempt) return;
    watch.attend(session, entry);
    if (row.cancelledBy !== null) watch.stop(runOf(row));
  }
}

function runOf(row: RunningRow): AttemptRef {
  return { sessionId: row.id, attempt: row.attempt };
}
