/**
 * Moving a session within one's own line (P5): whom it would stand before, read from the pool's picture at the moment of the
 * press, and the call. Where it then stands comes from the server's answer and the live channel.
 */
import type { PoolPicture } from "@/server/contract/pool";
import { client } from "../api";
import { lineOf } from "../profile/line-order";
import { announce } from "../ui/announce";
import type { MenuEntry } from "../ui/menu";
import { attempt } from "./card-actions";
import type { BoardCard } from "./columns";

export const LINE_MOVES = [
  { move: "up", icon: "up", label: "Move up in my line" },
  { move: "down", icon: "follow", label: "Move down in my line" },
  { move: "front", icon: null, label: "To the front" },
] as const;
export type LineMove = (typeof LINE_MOVES)[number]["move"];

/** The sessions of one's own line that have a place, in order; null when the card does not wait in it. */
export function ownLineOf(
  pool: PoolPicture | undefined,
  meId: string | undefined,
  { live, liveId }: BoardCard,
): readonly string[] | null {
  if (pool === undefined || meId === undefined || live?.userId !== meId || live.status !== "queued") return null;
  const placed = lineOf(pool, meId).queued.filter(({ session }) => session.position !== null);
  const ids = placed.map(({ sessionId }) => sessionId);
  return liveId !== null && ids.includes(liveId) ? ids : null;
}

/** Before whom it would stand; null: at the end; undefined: it stands there already. */
function standsBefore(line: readonly string[], id: string, move: LineMove): string | null | undefined {
  const place = line.indexOf(id);
  switch (move) {
    case "up":
      return place <= 0 ? undefined : line[place - 1];
    case "down":
      return place === line.length - 1 ? undefined : (line[place + 2] ?? null);
    case "front":
      return place <= 0 ? undefined : line[0];
    default:
      return move satisfies never;
  }
}

/** Why it cannot be moved that way, or null. */
export function whyNotMoved(line: readonly string[], id: string, move: LineMove): string | null {
  if (standsBefore(line, id, move) !== undefined) return null;
  return move === "down" ? "It is the last of your line." : "It is the first of your line.";
}

export function moveInLine({ task, liveId }: BoardCard, line: readonly string[], move: LineMove): Promise<void> {
  return attempt(task, async () => {
    const before = liveId === null ? undefined : standsBefore(line, liveId, move);
    if (liveId === null || before === undefined) return;
    const { position } = await client.sessions.reorder({ id: liveId, before });
    announce(
      position === null || position === 0
        ? `#${task.number} does not wait any more`
        : `#${task.number} is at position ${position} of your line`,
    );
  });
}

/** For a card's menu; none when it does not wait in one's own line. */
export function lineEntries(card: BoardCard, line: readonly string[] | null): MenuEntry[] {
  const { liveId } = card;
  if (line === null || liveId === null) return [];
  return LINE_MOVES.map(({ move, icon, label }) => ({
    kind: "entry",
    icon,
    label,
    why: whyNotMoved(line, liveId, move),
    run: () => void moveInLine(card, line, move),
  }));
}
