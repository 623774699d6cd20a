/** Of a card that runs: the moments from which its quiet notice, its adoption and its countdown show (B1, R9). Pure. */
import type { BoardCard } from "./columns";

/** What shows as time goes by; the screen's clock decides. */
export type CardTail =
  /** `quietSince`: when its agent wrote last. `adoptedAt`: when it was taken over after a restart. */
  | {
      readonly kind: "working";
      readonly quietSince: string;
      readonly quietAfterSeconds: number;
      readonly adoptedAt: string | null;
    }
  | { readonly kind: "stopping"; readonly forcedAt: string };

export function tailOf({ task, live, liveId }: BoardCard, quietNoticeSeconds: number | null): CardTail | null {
  const { session } = task;
  if (live?.status !== "running" || session === null || session.id !== liveId || session.phase !== live.phase) {
    return null;
  }
  const { phaseSince, lastOutputAt, adoptedAt, forcedAt } = session;
  if (live.phase === "stopping") return forcedAt === null ? null : { kind: "stopping", forcedAt };
  if (live.phase !== "working" || phaseSince === null || quietNoticeSeconds === null) return null;
  const quietSince = lastOutputAt !== null && lastOutputAt > phaseSince ? lastOutputAt : phaseSince;
  return { kind: "working", quietSince, quietAfterSeconds: quietNoticeSeconds, adoptedAt };
}
