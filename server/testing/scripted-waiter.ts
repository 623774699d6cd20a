/** A waiter whose sessions end when a test says so, or by themselves after a while. Stands for the supervisor. */
import type { LiveSession } from "../core/pool/picture";
import { type Ended, NOTHING_LEFT } from "../core/session/lifecycle";
import type { AttemptRef, SessionId } from "../core/words";
import type { Pool, Waiter } from "../engine/pool";

interface Attended {
  readonly session: LiveSession;
  readonly entry: "granted" | "adopted";
  end(error?: Error): void;
}

export class ScriptedWaiter implements Waiter {
  /** Everything that was ever attended, in order. */
  readonly history: { sessionId: SessionId; attempt: number; entry: "granted" | "adopted" }[] = [];
  readonly stops: AttemptRef[] = [];
  readonly declared: AttemptRef[] = [];
  readonly #open = new Map<string, Attended>();
  readonly #pool: () => Pick<Pool, "release">;
  /** Ends every session by itself; null: only when told. */
  endsAfterMs: (() => number) | null = null;
  /** An agent that ends once it is told to stop. */
  obeysStop = true;

  constructor(pool: () => Pick<Pool, "release">) {
    this.#pool = pool;
  }

  get open(): LiveSession[] {
    return Array.from(this.#open.values(), (attended) => attended.session);
  }

  attend(session: LiveSession, entry: "granted" | "adopted"): Promise<void> {
    const { id: sessionId, attempt } = session;
    this.history.push({ sessionId, attempt, entry });
    const over = new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => {
        this.#open.delete(`${sessionId}/${attempt}`);
        if (error) reject(error);
        else resolve();
      };
      this.#open.set(`${sessionId}/${attempt}`, { session, entry, end });
    });
    if (this.endsAfterMs) setTimeout(() => void this.finish(sessionId, attempt).catch(() => {}), this.endsAfterMs());
    return over;
  }

  stop(run: AttemptRef): void {
    this.stops.push(run);
    if (this.obeysStop && this.#open.has(`${run.sessionId}/${run.attempt}`)) {
      void this.finish(run.sessionId, run.attempt, endedWith({ exitCode: 143, status: "failed" })).catch(() => {});
    }
  }

  declareLost(run: AttemptRef): void {
    this.declared.push(run);
  }

  /** Its agents go on, and what they do is nothing to this waiter any more. */
  async letGo(): Promise<void> {
    this.#open.clear();
  }

  /** The session ends in the ordinary way: its ending is told to the pool, then the waiter returns. */
  async finish(sessionId: SessionId, attempt = 1, ended: Ended = endedWith({})): Promise<void> {
    await this.#pool().release({ sessionId, attempt }, ended);
    this.#open.get(`${sessionId}/${attempt}`)?.end();
  }

  /** The waiter ends without a word to the pool. */
  vanish(sessionId: SessionId, attempt = 1, error?: Error): void {
    this.#open.get(`${sessionId}/${attempt}`)?.end(error);
  }
}

export function endedWith(ended: Partial<Ended>): Ended {
  const exitCode = ended.exitCode ?? 0;
  const failure = ended.status === "failed" ? ({ kind: "agent-exited", detail: null } as const) : null;
  return { ...NOTHING_LEFT, status: "succeeded", failure, endedAt: Date.now(), ...ended, exitCode };
}
