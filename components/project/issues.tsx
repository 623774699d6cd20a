"use client";
/** Issues that come in as tasks by their label: when they were looked for, what stood in the way, and one press that looks now. */
import { useMutation } from "@tanstack/react-query";
import type { BroughtInView, ProjectGitHubView } from "@/server/contract/pull-requests";
import { api, sentenceOf } from "../api";
import { Age } from "../live/elapsed";
import { FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";

interface IssuesProps {
  readonly projectId: string;
  readonly set: ProjectGitHubView;
  readonly refresh: () => Promise<void>;
}

export function Issues({ projectId, set, refresh }: IssuesProps) {
  const look = useMutation(api.projects.bringInIssues.mutationOptions({ onSettled: refresh }));
  if (set.issueLabel === null) return null;
  return (
    <section aria-label="Issues" className="panel-body pt-0!">
      <div className="flex items-center gap-4">
        <p className="dim">
          Issues with the label{" "}
          <b dir="auto" className="[overflow-wrap:anywhere]">
            {set.issueLabel}
          </b>{" "}
          come in as tasks.{" "}
          {set.issuesReadAt === null ? (
            "Not read yet."
          ) : (
            <>
              Read: <Age since={set.issuesReadAt} />
            </>
          )}
        </p>
        <button
          type="button"
          className="btn sm end flex-none"
          disabled={look.isPending}
          onClick={() => look.mutate({ id: projectId })}
        >
          <Icon name="down" small />
          Bring in issues now
        </button>
      </div>
      <p role="status">{look.data === undefined ? null : answerOf(look.data)}</p>
      <FormMistake>{look.error === null ? set.issuesProblem : sentenceOf(look.error)}</FormMistake>
    </section>
  );
}

function answerOf({ count }: BroughtInView): string {
  if (count === 0) return "Nothing new.";
  return count === 1 ? "1 issue came in." : `${count.toLocaleString("en")} issues came in.`;
}
