/**
 * A dispatch where there is no writer (P1, P12, P19): the row waits in the database, and whoever is or becomes the writer takes it
 * in. Answered after it is committed; where the writer is at work, with the place that it gave.
 */
import type { NewSession } from "../../../core/pool/events";
import type { Millis, SessionId } from "../../../core/words";
import { CommitRefused } from "../../../ports/pool-store";
import type { Enqueued } from "../../pool";
import type { PoolParts } from "../pool-parts";
import { PATIENCE_MS, refusal, unavailable, within } from "../writer/letter";
import { ANSWER_WITHIN_MS } from "./asker";

export async function enqueueAside(
  { aside, link, follower, announcer }: Pick<PoolParts, "aside" | "link" | "follower" | "announcer">,
  session: NewSession & { readonly id: SessionId },
  at: Millis,
): Promise<Enqueued> {
  const inserting = aside.insert(session, at).catch((error) => {
    throw error instanceof CommitRefused ? refusal(error) : unavailable(error);
  });
  const inserted = await within(inserting, PATIENCE_MS);
  link.say("asked");
  if (follower.isFollowing) await follower.pictured(inserted.sessionId, ANSWER_WITHIN_MS);
  const { snapshot } = announcer;
  const seen = snapshot.session(inserted.sessionId);
  return seen
    ? { ...inserted, position: seen.position, version: snapshot.version }
    : { ...inserted, version: snapshot.version + 1 };
}
