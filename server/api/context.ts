/** What travels with one call: who asks, and what the answer carries beside its body. */
import type { PoolSnapshot } from "../core/pool/picture";
import type { Caller } from "../ports/access";
import type { Standing } from "../ports/project-store";

export interface Reply {
  /** Instead of the call's usual status: 200 where 201 would say that something new was made. */
  status: number | null;
  header(name: string, value: string): void;
}

/** Before the gate. */
export interface CallContext {
  readonly caller: Caller | null;
  readonly reply: Reply;
}

/** Behind the gate: somebody we know, with their part in the project the path's id belongs to. */
export interface AdmittedContext extends CallContext {
  readonly caller: Caller;
  readonly standing: Standing | null;
}

/** All figures of one answer are from this snapshot (P13). */
export function tellVersion({ reply }: CallContext, { epoch, version }: Pick<PoolSnapshot, "epoch" | "version">): void {
  reply.header("x-pool-version", `${epoch}.${version}`);
}

/** For calls whose need names a project: the gate has found it. */
export function standingOf({ standing }: AdmittedContext): Standing {
  if (standing === null) throw new Error("this call's need names no project");
  return standing;
}
