"use client";
/**
 * What a person says next (A5): in Review a message that dispatches a new session, which goes on with the agent's own
 * conversation in the same worktree and queues like any other; while an agent with a protocol works, a message to it.
 * Comments on lines of the diff go along with either (W5).
 */
import { type ReactNode, useState } from "react";
import type { Agent } from "@/server/contract/agents";
import type { Session } from "@/server/contract/sessions";
import { asScriptComment, runsNothing } from "@/server/core/text/script-comment";
import type { AgentKind, Column } from "@/server/core/words";
import { useAgents, useAgentsAtHand } from "../agent/use-agents";
import { client } from "../api";
import type { BoardCard } from "../board/columns";
import { withComments } from "../diff/comment-message";
import { removeComments, useComments } from "../diff/comment-store";
import { keptOf } from "../diff/comments";
import { usePool } from "../live/live-provider";
import { createOnceKey } from "../once-key";
import { useMe } from "../people/use-people";
import { wouldBe } from "../pool/outlook";
import { useHolds, useHoldsAtOpening } from "../pool/use-holds";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { Composer } from "./composer";
import { IncludedComments } from "./included-comments";
import { useKeptText } from "./kept-text";
import { messages } from "./message-draft";

export function FollowUp({ card }: { card: BoardCard }) {
  const { session } = card.task;
  return session === null ? null : <Box card={card} session={session} />;
}

/** One box through all columns: what is typed, and the focus, stay where they are when the card moves on. */
function Box({ card, session }: { card: BoardCard; session: Session }) {
  const { task, column } = card;
  const agents = useAgents(task.projectId);
  const agent = agents?.find(({ id }) => id === session.agentId);
  const kind = agent?.kind ?? null;
  const along = useAlong(task.id, kind);
  const typed = useKeptText(messages, task.id);
  const dispatch = useDispatch(card, session, along);
  const tell = useTell(card.liveId ?? session.id, along);
  const isReview = column === "review";
  const isTalking = column === "running" && agent !== undefined && !isDeaf(agent.kind);
  if (!isReview && !isTalking && typed === null)
    return column === "running" && agent !== undefined ? <Deaf agent={agent} /> : null;
  const needsScript = isReview && kind === "shell" && (typed !== null || along.isSome) && runsNothing(typed ?? "");
  const why = isReview ? (needsScript ? NEEDS_SCRIPT : null) : isTalking ? whyNot(card) : keptUntil(column, agent);
  return (
    <Composer
      draftKey={task.id}
      label={isTalking ? "Message to the agent" : "Follow-up"}
      button={isTalking ? "Send" : "Follow up"}
      send={isReview ? dispatch : tell}
      isOff={why !== null}
      mayBeEmpty={along.isSome}
      suggested={isReview && kind === "shell" ? asScriptComment : undefined}
      included={along.shown}
    >
      {why ??
        (isReview ? (
          <WhatHappens session={session} kind={kind} isKindKnown={agents !== undefined} />
        ) : (
          "It reads this while it works, in the same session."
        ))}
    </Composer>
  );
}

function isDeaf(kind: AgentKind): boolean {
  return kind === "shell" || kind === "command";
}

function Deaf({ agent }: { agent: Agent }) {
  return <p className="follow-up hint">{deafWords(agent)}</p>;
}

function deafWords({ name }: Agent): string {
  return `${inSentence(name)} reads its prompt and nothing after it: it cannot be told anything while it runs.`;
}

/** A shell agent runs its message: of comments, on lines or sent back, nothing would come but another success. */
const NEEDS_SCRIPT = "It needs a script: comments and blank lines run nothing.";

/** Why what is typed cannot go now; it stays. */
function keptUntil(column: Column, agent: Agent | undefined): string {
  if (column === "done") return "The task is done. What you typed is kept; it can be sent when the task is reopened.";
  if (column !== "running") return "It waits for its turn. What you typed is kept.";
  return agent === undefined ? "What you typed is kept." : `${deafWords(agent)} What you typed is kept.`;
}

/** Why a working agent cannot be told anything now; null: it can. */
function whyNot({ live }: BoardCard): string | null {
  return live?.phase === "working" ? null : WHY_NOT[live?.phase ?? "starting"];
}

const WHY_NOT = {
  starting: "It is starting: it can be told something in a moment.",
  asking: "It waits for the answer to its question.",
  stopping: "It is being stopped.",
  saving: "It is over; its work is being saved.",
} as const;

interface WhatHappensProps {
  readonly session: Session;
  readonly kind: AgentKind | null;
  /** False while the agents are on their way: then nothing is said about what the agent does with it. */
  readonly isKindKnown: boolean;
}

/** What happens to the words, by the kind of agent that gets them, and which place it would have. */
function WhatHappens({ session, kind, isKindKnown }: WhatHappensProps) {
  const pool = usePool();
  const me = useMe();
  const holdOf = useHolds(session.projectId);
  useHoldsAtOpening();
  const place = pool === undefined || me === undefined ? "" : wouldBe(pool, me.id, holdOf(session.agentId));
  return (
    <>
      {isKindKnown ? whatHappens(kind, session.continues) : null} {place}
    </>
  );
}

/** `continues`: as the session says it. */
function whatHappens(kind: AgentKind | null, continues: boolean | null): string {
  if (kind === "shell") return "It runs this as a script in the same worktree.";
  if (kind === "command") return "The program gets this in place of the prompt, in the same worktree.";
  if (continues === false)
    return "It begins a new conversation, with the task’s prompt and this, in the same worktree.";
  return "It goes on with the agent’s conversation, in the same worktree.";
}

interface Along {
  readonly isSome: boolean;
  readonly shown: ReactNode;
  readonly addTo: (text: string, reader?: AgentKind | null) => string;
  readonly taken: () => void;
}

/** The comments on lines that go along with what is sent from a task's box. */
function useAlong(taskId: string, kind: AgentKind | null): Along {
  const comments = useComments(taskId);
  const kept = keptOf(comments);
  return {
    isSome: kept.length > 0,
    shown: comments.length === 0 ? null : <IncludedComments comments={comments} kind={kind} />,
    addTo: (text: string, reader = kind) => withComments(text, comments, reader),
    taken: () => {
      const ids = kept.map(({ id }) => id);
      removeComments(taskId, ids);
    },
  };
}

/** Sends the words as a new session of the agent that worked. */
function useDispatch({ task }: BoardCard, session: Session, along: Along): (text: string) => Promise<void> {
  const agentsAtHand = useAgentsAtHand(task.projectId);
  return async (text) => {
    const known = (await agentsAtHand()).find(({ id }) => id === session.agentId);
    // Who pressed before the agents were known could not be told earlier.
    if (known?.kind === "shell" && runsNothing(text)) throw new Error(NEEDS_SCRIPT);
    const message = along.addTo(text, known?.kind ?? null);
    // A removed agent cannot go on: then the task's own is asked.
    const agent = known === undefined ? {} : { agentId: known.id };
    const { position, existing } = await client.tasks.dispatch({
      params: { id: task.id },
      body: { message, ...agent },
    });
    if (existing) throw new Error("A session of this task is under way already. Your message was not sent.");
    along.taken();
    const place = position === null ? "it is held" : position === 0 ? "it has a seat" : `position ${position}`;
    toast({ icon: "check", text: `#${task.number} follows up: ${place}` });
  };
}

/** Sends the words to the agent that works. */
function useTell(sessionId: string, along: Along): (text: string) => Promise<void> {
  const [key] = useState(createOnceKey);
  return async (text) => {
    const body = { text: along.addTo(text) };
    await client.sessions.message({
      params: { id: sessionId },
      headers: { "idempotency-key": key.forBody([sessionId, body]) },
      body,
    });
    key.forget();
    along.taken();
    toast({ icon: "check", text: "The agent is told" });
  };
}
