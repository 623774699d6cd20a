/** What was said of a pull request, as a message to the agent: plain Markdown that is as clear to a person. Pure. */
import type { ReviewCommentView } from "@/server/contract/pull-requests";
import { markedName } from "../diff/comment-message";

export function commentsToSend(number: number, comments: readonly ReviewCommentView[]): string {
  return [`Comments on pull request ${number}:`, ...comments.map(sectionOf)].join("\n\n");
}

function sectionOf({ author, path, line, quote, text }: ReviewCommentView): string {
  if (path === null) return `### ${author}\n\n${text}`;
  const where = line === null ? `${markedName(path)}, changed since` : markedName(`${path}:${line}`);
  const fence = "`".repeat(Math.max(3, ...[...quote.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const quoted = quote === "" ? "" : `${fence}\n${quote}\n${fence}\n\n`;
  return `### ${where} (${author})\n\n${quoted}${text}`;
}
