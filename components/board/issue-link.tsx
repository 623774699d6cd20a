/** Back to the issue that a task came from. Its address is made by the server from what the project's owner set, not by GitHub. */
import type { Task } from "@/server/contract/tasks";

interface IssueLinkProps {
  readonly issue: NonNullable<Task["issue"]>;
  /** On a card, which is one stop of the keyboard: its menu leads there as well. */
  readonly isOnCard?: boolean;
}

export function IssueLink({ issue: { repository, number, url }, isOnCard = false }: IssueLinkProps) {
  return (
    <a
      className="issue-link"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={`${repository}#${number}`}
      tabIndex={isOnCard ? -1 : undefined}
    >
      Issue #{number}
    </a>
  );
}
