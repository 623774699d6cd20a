"use client";
/** A task's pull request: what it is now, what was checked, what was said of it, and one press that sends that back. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { PullRequestDetails, ReviewCommentView } from "@/server/contract/pull-requests";
import { api, sentenceOf } from "../api";
import { moveCard } from "../board/card-moves";
import type { BoardCard } from "../board/columns";
import { Age } from "../live/elapsed";
import { safeAddress } from "../output/escapes";
import { FormMistake } from "../ui/field";
import { Icon, Mark, type MarkName } from "../ui/icon";
import { pressable } from "../ui/why-not";
import { inSentence } from "../ui/written";
import { suggestedSlot } from "./message-draft";
import { commentsToSend } from "./pull-request-message";

export function PullRequest({ card }: { card: BoardCard }) {
  const { task } = card;
  const cache = useQueryClient();
  const options = api.tasks.pullRequest.queryOptions({ input: { id: task.id } });
  // Read anew when the card says that it changed.
  const queryKey = [...options.queryKey, task.pullRequest?.number, task.pullRequest?.changedAt];
  const { data } = useQuery({ ...options, queryKey, placeholderData: keepPreviousData });
  const refresh = useMutation(
    api.tasks.refreshPull.mutationOptions({
      onSettled: () => cache.invalidateQueries({ queryKey: options.queryKey }),
    }),
  );
  const pull = data?.pullRequest ?? null;
  if (pull === null) return null;
  const mistake = refresh.error === null ? pull.problem : sentenceOf(refresh.error);
  return (
    <div className="pull-request">
      <div className="line">
        <span className={`chip ${CHIPS[pull.state]}`}>{stateOf(pull)}</span>
        <Away address={pull.url}>
          {pull.repository}#{pull.number}
        </Away>
        <span className="dim">into {inSentence(pull.base)}</span>
        <span className="grow" />
        <span className="dim">{pull.readAt === null ? "Not read yet" : <ReadAt at={pull.readAt} />}</span>
        <button
          type="button"
          className="btn sm"
          disabled={refresh.isPending}
          onClick={() => refresh.mutate({ id: task.id })}
        >
          <Icon name="retry" small />
          Refresh
        </button>
      </div>
      <FormMistake>{mistake}</FormMistake>
      <Checks checks={pull.checks} />
      <Comments card={card} number={pull.number} comments={pull.comments} />
    </div>
  );
}

const CHIPS: Readonly<Record<PullRequestDetails["state"], string>> = { open: "solid", merged: "ok", closed: "" };

function stateOf({ state, isDraft }: PullRequestDetails): string {
  if (state === "merged") return "Merged";
  if (state === "closed") return "Closed";
  return isDraft ? "Draft" : "Open";
}

function ReadAt({ at }: { at: string }) {
  return (
    <>
      Read: <Age since={at} />
    </>
  );
}

/** Says where it leads, and leads nowhere that could run. */
function Away({ address, children }: { address: string | null; children: React.ReactNode }) {
  const safe = address === null ? null : safeAddress(address);
  if (safe === null) return <span className="cut">{children}</span>;
  return (
    <a className="cut" href={safe} target="_blank" rel="noopener noreferrer" title={safe}>
      {children}
    </a>
  );
}

const CHECKS: Readonly<
  Record<NonNullable<PullRequestDetails["checks"]>[number]["state"], { mark: MarkName; colour: string; word: string }>
> = {
  passed: { mark: "succeeded", colour: "ok", word: "passed" },
  failed: { mark: "failed", colour: "bad", word: "failed" },
  running: { mark: "running", colour: "accent", word: "running" },
  skipped: { mark: "cancelled", colour: "faint", word: "skipped" },
};

function Checks({ checks }: Pick<PullRequestDetails, "checks">) {
  if (checks === null) return <p className="faint">Checks: not read.</p>;
  if (checks.length === 0) return <p className="faint">No checks.</p>;
  const counts = (["failed", "running", "passed", "skipped"] as const)
    .map((state) => ({ state, count: checks.filter((check) => check.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${CHECKS[state].word}`);
  return (
    <section aria-label="Checks">
      <h2>Checks: {counts.join(", ")}</h2>
      <ul>
        {checks.map(({ name, state, url }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list is read whole
          <li key={place} className="line">
            <Mark name={CHECKS[state].mark} className={CHECKS[state].colour} />
            <Away address={url}>
              <bdi>{name}</bdi>
            </Away>
            <span className="end dim">{CHECKS[state].word}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CommentsProps {
  readonly card: BoardCard;
  readonly number: number;
  readonly comments: readonly ReviewCommentView[] | null;
}

function Comments({ card, number, comments }: CommentsProps) {
  if (comments === null) return <p className="faint">Comments: not read.</p>;
  if (comments.length === 0) return <p className="faint">No comments.</p>;
  const isUnderWay = card.column === "waiting" || card.column === "running";
  return (
    <section aria-label="Comments">
      <div className="line">
        <h2>{comments.length === 1 ? "1 comment" : `${comments.length} comments`}</h2>
        <button
          type="button"
          className="btn sm end"
          {...pressable(
            isUnderWay ? "A session is under way." : null,
            () => void sendBack(card, commentsToSend(number, comments)),
          )}
        >
          Send back to the agent
        </button>
      </div>
      <ul>
        {comments.map(({ id, author, at, path, line, text, url }) => (
          <li key={id}>
            <article aria-label={`Comment by ${author}`}>
              <p className="line dim">
                <b dir="auto">{author}</b>
                {path === null ? null : (
                  <span className="mono cut" dir="auto">
                    {line === null ? `${path}, changed since` : `${path}:${line}`}
                  </span>
                )}
                <span className="end">
                  <Away address={url}>
                    <Age since={at} />
                  </Away>
                </span>
              </p>
              <p className="said" dir="auto">
                {text}
              </p>
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Only fills the box: what is sent, and when, is for the person to say. The box is there in Review. */
async function sendBack(card: BoardCard, text: string): Promise<void> {
  if (card.column !== "review") await moveCard(card, "review");
  suggestedSlot.open({ taskId: card.task.id, text });
}
