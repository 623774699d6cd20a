/** What happened, in words, as the server tells it at this moment; null: it is nothing one has to be told. */
import { client } from "../api";
import { span } from "../ui/time";
import { inOwnOrder } from "../ui/written";
import { type Moment, type Notice, waitedMs } from "./notices";

/** What an ended session is called. */
const ENDINGS: Readonly<Record<string, string>> = {
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "was stopped",
};

export async function noticeOf({ kind, sessionId, taskId }: Moment, meId: string): Promise<Notice | null> {
  const [session, task] = await Promise.all([client.sessions.get({ id: sessionId }), client.tasks.get({ id: taskId })]);
  const title = inOwnOrder(task.title);
  const common = { id: `${sessionId} ${kind}`, projectId: task.projectId, number: task.number };
  const notice = (what: string, text: string): Notice => ({ ...common, head: `#${task.number} ${what}`, text });
  switch (kind) {
    case "asks":
      return notice("needs you", session.question === null ? title : `${title}\n${session.question.text}`);
    case "started":
      return notice(`has started after ${span(waitedMs(session) / 1_000)}`, title);
    case "gone": {
      const ending = ENDINGS[session.status];
      // Withdrawn before it ran, or stopped by oneself: that is no news.
      if (ending === undefined || session.startedAt === null || session.cancelledBy === meId) return null;
      return notice(ending, session.failure === null ? title : `${title}\n${session.failure.sentence}`);
    }
    default:
      return kind satisfies never;
  }
}
