"use client";
/**
 * What a person says next (A5): in Review a message that dispatches a new session, which goes on with the agent's own
 * conversation in the same worktree and queues like any other, with the comments on lines of the diff (W5); while an agent
 * with a protocol works, a message to it. What was typed survives a reload.
 */
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Session } from "@/server/contract/sessions";
import type { AgentKind } from "@/server/core/words";
import { useAgents } from "../agent/use-agents";
import { client, sentenceOf } from "../api";
import type { BoardCard } from "../board/columns";
import { asScriptComment, withComments } from "../diff/comment-message";
import { removeComments, useComments } from "../diff/comment-store";
import { keptOf } from "../diff/comments";
import { usePool } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { wouldBe } from "../pool/wording";
import { FormMistake } from "../ui/field";
import { CommandKbd } from "../ui/kbd";
import { beforeLongPaste } from "../ui/long-paste";
import { useSlot } from "../ui/slot";
import { toast } from "../ui/toast";
import { directionOf } from "../ui/written";
import { IncludedComments } from "./included-comments";
import { joined, keepMessage, readMessage, suggestedSlot } from "./message-draft";

export function FollowUp({ card }: { card: BoardCard }) {
  const { task, column, live, liveId } = card;
  const agent = useAgents(task.projectId)?.find(({ id }) => id === task.session?.agentId);
  const { session } = task;
  if (session === null) return null;
  if (column === "review") return <Dispatch card={card} session={session} kind={agent?.kind ?? null} />;
  if (column !== "running" || agent === undefined) return null;
  if (agent.kind === "shell" || agent.kind === "command") {
    return (
      <p className="follow-up hint">
        {agent.name} reads its prompt and nothing after it: it cannot be told anything while it runs.
      </p>
    );
  }
  const why = live?.phase === "working" ? null : WHY_NOT[live?.phase ?? "starting"];
  return <Message key={liveId} sessionId={liveId ?? session.id} taskId={task.id} why={why} />;
}

const WHY_NOT = {
  starting: "It is starting: it can be told something in a moment.",
  asking: "It waits for the answer to its question.",
  stopping: "It is being stopped.",
  saving: "It is over; its work is being saved.",
} as const;

/** What happens to the words, by the kind of agent that gets them. */
function whatHappens(kind: AgentKind | null): string {
  if (kind === "shell") return "It runs this as a script in the same worktree.";
  if (kind === "command") return "The program gets this in place of the prompt, in the same worktree.";
  return "It goes on with the agent’s conversation, in the same worktree.";
}

function Dispatch({ card, session, kind }: { card: BoardCard; session: Session; kind: AgentKind | null }) {
  const pool = usePool();
  const me = useMe();
  const { task } = card;
  const comments = useComments(task.id);
  const send = async (text: string) => {
    const message = withComments(text, comments, kind);
    // A removed agent cannot go on: then the task's own is asked.
    const agent = kind === null ? {} : { agentId: session.agentId };
    const { position, existing } = await client.tasks.dispatch({
      params: { id: task.id },
      body: { message, ...agent },
    });
    if (existing) throw new Error("A session of this task is under way already. Your message was not sent.");
    removeComments(
      task.id,
      keptOf(comments).map(({ id }) => id),
    );
    const place = position === null ? "it is held" : position === 0 ? "it has a seat" : `position ${position}`;
    toast({ icon: "check", text: `#${task.number} follows up: ${place}` });
  };
  const place = pool === undefined || me === undefined ? "" : wouldBe(pool, me.id);
  return (
    <Composer
      key={task.id}
      draftKey={task.id}
      label="Follow-up"
      button="Follow up"
      send={send}
      // A shell agent has nothing to run where there are comments only.
      mayBeEmpty={kind !== "shell" && keptOf(comments).length > 0}
      suggested={kind === "shell" ? asScriptComment : undefined}
      included={comments.length === 0 ? null : <IncludedComments comments={comments} kind={kind} />}
    >
      {whatHappens(kind)} {place}
    </Composer>
  );
}

function Message({ sessionId, taskId, why }: { sessionId: string; taskId: string; why: string | null }) {
  const send = async (text: string) => {
    await client.sessions.message({ id: sessionId, text });
    toast({ icon: "check", text: "The agent is told" });
  };
  return (
    <Composer draftKey={taskId} label="Message to the agent" button="Send" send={send} isOff={why !== null}>
      {why ?? "It reads this while it works, in the same session."}
    </Composer>
  );
}

interface ComposerProps {
  readonly draftKey: string;
  readonly label: string;
  readonly button: string;
  readonly send: (text: string) => Promise<void>;
  readonly isOff?: boolean;
  /** Something else is sent along. */
  readonly mayBeEmpty?: boolean;
  /** What is sent along; stands below the box. */
  readonly included?: ReactNode;
  /** How what somebody suggested stands in the box; undefined: as it is. */
  readonly suggested?: ((text: string) => string) | undefined;
  readonly children: ReactNode;
}

/** Up to so many characters the box is as high as its text; of more it is the highest already, and measuring takes long. */
const GROWS_MAX_CHARS = 5_000;

function Composer(props: ComposerProps) {
  const {
    draftKey,
    label,
    button,
    send,
    isOff = false,
    mayBeEmpty = false,
    included = null,
    suggested,
    children,
  } = props;
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readMessage(draftKey));
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (next: string) => {
    setText(next);
    setMistake(null);
    keepMessage(draftKey, next);
  };
  useSuggested(draftKey, (said) => {
    change(joined(text, suggested?.(said) ?? said));
    box.current?.focus();
  });
  const isNothing = text.trim() === "" && !mayBeEmpty;
  const submit = async () => {
    if (isBusy || isOff || isNothing) return;
    setBusy(true);
    try {
      await send(text);
      change("");
    } catch (error) {
      setMistake(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form className="follow-up" onSubmit={submitted} onKeyDown={pressed}>
      <div className="composer">
        <label className="sr" htmlFor={id}>
          {label}
        </label>
        <textarea
          ref={box}
          id={id}
          rows={2}
          dir={directionOf(text)}
          onPaste={beforeLongPaste}
          data-long={text.length > GROWS_MAX_CHARS || undefined}
          placeholder={label}
          value={text}
          aria-describedby={`${id}-note`}
          onChange={(event) => change(event.target.value)}
        />
        {included}
        <div className="foot">
          <span id={`${id}-note`}>{children}</span>
          <button
            type="submit"
            className="btn sm ink end"
            aria-disabled={isOff || isNothing || undefined}
            disabled={isBusy}
          >
            {button}
            <CommandKbd>↵</CommandKbd>
          </button>
        </div>
      </div>
      <FormMistake>{mistake}</FormMistake>
    </form>
  );
}

/** Takes what somebody suggested for this task's box, once. */
function useSuggested(taskId: string, take: (text: string) => void): void {
  const suggested = useSlot(suggestedSlot);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another suggestion is news
  useEffect(() => {
    if (suggested?.taskId !== taskId) return;
    suggestedSlot.close();
    take(suggested.text);
  }, [suggested, taskId]);
}
