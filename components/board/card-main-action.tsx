"use client";
/** The one thing that is most likely wanted with a card where it stands, as a button on it. */
import type { MouseEvent, ReactNode } from "react";
import { Icon, type IconName, Mark } from "../ui/icon";
import { openMenu } from "../ui/menu";
import { aboutQuestion, answerEntries, askedBy } from "./answers";
import { dispatchTask, stopSession, withdraw } from "./card-actions";
import type { BoardCard } from "./columns";

interface MainActionProps {
  readonly card: BoardCard;
  readonly agent: string;
  readonly elapsed: () => string;
  readonly open: () => void;
}

/** The one thing that is most likely wanted; everything else is in the menu. */
export function MainAction({ card, agent, elapsed, open }: MainActionProps): ReactNode {
  const { column, task, live } = card;
  if (live?.phase === "asking") return <Answer card={card} open={open} />;
  if (column === "backlog") return <Action icon="play" label="Dispatch" run={() => void dispatchTask(task)} />;
  if (column === "waiting") return <Action icon="undo" label="Withdraw" run={() => void withdraw(card)} />;
  if (column === "running" && live?.phase !== "stopping") {
    return <Action icon="stop" label="Stop" run={() => void stopSession(card, agent, elapsed())} />;
  }
  const didNotWork = task.session?.status === "failed" || task.session?.status === "cancelled";
  if (column === "review" && didNotWork) {
    return <Action icon="retry" label="Retry" run={() => void dispatchTask(task)} />;
  }
  return null;
}

/** The answers the agent takes, as a menu; where it takes any text, or nobody knows yet, the task with its question opens. */
function Answer({ card, open }: { card: BoardCard; open: () => void }) {
  const entries = answerEntries(card);
  const pressed = (event: MouseEvent<HTMLButtonElement>) => {
    if (entries.length === 0) return open();
    const label = askedBy(card)?.text ?? "";
    const read = { kind: "entry", icon: "right", label: "Read the question", run: open } as const;
    openMenu(event.currentTarget, label, [...entries, { kind: "rule" }, read], aboutQuestion(card));
  };
  return (
    <button
      type="button"
      className="btn sm ghost"
      aria-haspopup={entries.length > 0 ? "menu" : undefined}
      onClick={pressed}
    >
      <Mark name="asking" className="attn" />
      Answer
    </button>
  );
}

function Action({ icon, label, run }: { icon: IconName; label: string; run: () => void }) {
  return (
    <button type="button" className="btn sm ghost" onClick={run}>
      <Icon name={icon} small />
      {label}
    </button>
  );
}
