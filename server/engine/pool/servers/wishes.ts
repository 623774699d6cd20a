/** The writer's side of what other servers ask (P19): each wish is granted as if it had been asked here, and its answer written. */
import type { Order } from "../../../core/pool/events";
import type { AttemptRef } from "../../../core/words";
import type { Asked, PoolLink, WishAnswer } from "../../../ports/pool-link";
import { PoolRefused } from "../../pool";
import type { Log } from "../pool-options";

export interface WishParts {
  readonly link: Pick<PoolLink, "answer">;
  readonly now: () => number;
  readonly log: Log;
  /** Into the mailbox; the answer is written in the commit that makes it true. */
  readonly decide: (order: Order, wishId: string) => Promise<unknown>;
  readonly rebuild: () => Promise<unknown>;
  readonly declareLost: (run: AttemptRef) => void;
}

/** Never rejects: a wish that comes to nothing is found again at the next look, by us or by the next writer. */
export async function grantWish(parts: WishParts, asked: Asked): Promise<void> {
  try {
    const answer = await grant(parts, asked);
    if (answer) await parts.link.answer(asked.id, answer);
  } catch (error) {
    parts.log.warn(`what another server asked came to nothing so far: ${error}`);
  }
}

/** Null: answered with its commit. */
async function grant(
  { decide, rebuild, declareLost, now }: WishParts,
  { id, wish }: Asked,
): Promise<WishAnswer | null> {
  switch (wish.kind) {
    case "rebuild":
      await rebuild();
      return { kind: "done", answer: null };
    case "declare-lost":
      declareLost({ sessionId: wish.sessionId, attempt: wish.attempt });
      return { kind: "done", answer: null };
    case "cancel":
    case "reorder":
    case "set-caps":
    case "set-user-cap":
    case "hold":
      return decided(decide(wish.kind === "cancel" ? { ...wish, at: now() } : wish, id));
    default:
      wish satisfies never;
      return { kind: "refused", message: "This server does not know what was asked." };
  }
}

async function decided(deciding: Promise<unknown>): Promise<WishAnswer | null> {
  try {
    await deciding;
    return null;
  } catch (error) {
    if (error instanceof PoolRefused) return { kind: "refused", message: error.message };
    throw error;
  }
}
