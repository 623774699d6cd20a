"use client";
import type { BoardCard } from "../board/columns";
/** Buttons that move the task one looks at within one's own line (P5); nothing is there for other people's. */
import { LINE_MOVES, moveInLine, ownLineOf, whyNotMoved } from "../board/line-moves";
import type { PoolReader } from "../pool/wording";
import { Icon } from "../ui/icon";
import { pressable } from "../ui/why-not";

export function LineMoves({ card, reader }: { card: BoardCard; reader: PoolReader }) {
  const line = ownLineOf(reader.pool, reader.meId, card);
  const { liveId } = card;
  if (line === null || liveId === null) return null;
  return (
    <span className="end flex gap-1">
      {LINE_MOVES.map(({ move, icon, label }) => {
        const why = whyNotMoved(line, liveId, move);
        return (
          <button
            key={move}
            type="button"
            className="btn sm ghost"
            aria-label={label}
            title={label}
            {...pressable(why, () => void moveInLine(card, line, move))}
          >
            {icon === null ? label : <Icon name={icon} small />}
          </button>
        );
      })}
    </span>
  );
}
