/**
 * What people say to a session that runs: messages and answers to its agent (R12), and an administrator's "it is lost" about
 * a runner that cannot be found out about (R3). Changes no row: the host and the supervisor do what is asked, and tell the pool.
 */
import { lastLineOf } from "../../core/agent/last-line";
import { questionFrom } from "../../core/session/question";
import type { SessionId, UserId } from "../../core/words";
import type { AgentOrder, Runner } from "../../ports/runner";
import type { SessionStore, StoredSession } from "../../ports/session-store";
import type { Pool } from "../pool";
import type { SessionSupervisor } from "../session/session-supervisor";
import { agreedSession } from "./card-views";
import { NOT_THERE, type Refusal, refuse } from "./refusal";
import type { SeenSession } from "./session-desk";
import { sessionView } from "./session-view";

export interface RunningDeskParts {
  readonly pool: Pick<Pool, "snapshot">;
  readonly sessions: Pick<SessionStore, "session">;
  readonly runner: Pick<Runner, "tell" | "probe">;
  readonly supervisor: Pick<SessionSupervisor, "declareLost">;
}

export type RunningDesk = ReturnType<typeof createRunningDesk>;

export function createRunningDesk({ pool, sessions, runner, supervisor }: RunningDeskParts) {
  async function tell(session: StoredSession, order: AgentOrder): Promise<SeenSession | Refusal> {
    const told = await runner.tell({ sessionId: session.id, attempt: session.attempt }, order);
    if (told === "key-reused") return refuse("KEY_REUSED", "This Idempotency-Key was used for another message.");
    if (told !== "told") return refuse("CONFLICT", NOT_TOLD[told]);
    const found = await agreedSession(pool, sessions, session.id);
    if (found === null) return NOT_THERE;
    return { kind: "session", session: sessionView(found.row, found.snapshot), snapshot: found.snapshot };
  }

  return {
    /** `key`: an `Idempotency-Key` of this person's; null: none. */
    async message(userId: UserId, id: SessionId, text: string, key: string | null): Promise<SeenSession | Refusal> {
      const session = await sessions.session(id);
      if (session === null) return NOT_THERE;
      if (session.status !== "running") return NOT_RUNNING;
      return tell(session, { kind: "message", text, ...(key === null ? {} : { key: JSON.stringify([userId, key]) }) });
    },
    /** `questionId`: of the question as it was read; that another one is asked by now is refused. */
    async answer(id: SessionId, questionId: string, option: string): Promise<SeenSession | Refusal> {
      const session = await sessions.session(id);
      if (session === null) return NOT_THERE;
      if (session.status !== "running") return NOT_RUNNING;
      const question = session.phase === "asking" ? questionFrom(session.question) : null;
      if (question === null) return refuse("CONFLICT", "The agent has not asked anything.");
      if (question.id !== questionId) {
        return refuse("CONFLICT", `It asks something else by now: ${inOneLine(question.text)}`);
      }
      if (question.options.length > 0 && !question.options.includes(option)) {
        return refuse("CONFLICT", `That is not one of the answers the agent takes: ${question.options.join(", ")}.`);
      }
      return tell(session, { kind: "answer", questionId: question.id, option });
    },
    async declareLost(id: SessionId): Promise<Refusal | null> {
      const session = await sessions.session(id);
      if (session === null) return NOT_THERE;
      if (session.status !== "running") return NOT_RUNNING;
      const run = { sessionId: id, attempt: session.attempt };
      if ((await runner.probe(run)).kind !== "unknown") {
        return refuse("CONFLICT", "Its runner can be reached: stop the session instead, then its work is saved too.");
      }
      supervisor.declareLost(run);
      return null;
    },
  };
}

/** Cut to what a sentence can hold; the whole is on the task's page. */
function inOneLine(text: string): string {
  return lastLineOf(text.replace(/\s+/g, " ")) ?? "a question without words";
}

const NOT_RUNNING = refuse("CONFLICT", "The session does not run.");

const NOT_TOLD = {
  "answered-before": "Somebody else has answered already.",
  cannot: "This agent reads its prompt and nothing after it, so it cannot be told anything while it runs.",
  over: "The agent is over, or not up yet.",
} as const;
