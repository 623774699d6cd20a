/** `/sessions`: looking, withdrawing or stopping, reordering one's own line, talking to the agent, and output as bytes. */
import { OUTPUT_READ_MAX_BYTES } from "../contract/common";
import type { RunningDesk } from "../engine/desk/running-desk";
import type { SessionDesk } from "../engine/desk/session-desk";
import type { TranscriptDesk } from "../engine/desk/transcript-desk";
import type { Calls } from "./calls";
import { tellVersion } from "./context";
import { answerOf } from "./errors";

export function sessionCalls(calls: Calls, sessions: SessionDesk, running: RunningDesk, transcripts: TranscriptDesk) {
  const { sessions: call } = calls;
  return call.router({
    get: call.get.handler(async ({ context, input }) => {
      const { session, snapshot } = answerOf(await sessions.session(input.id));
      tellVersion(context, snapshot);
      return session;
    }),
    cancel: call.cancel.handler(async ({ context, input }) => {
      const { session, snapshot } = answerOf(await sessions.cancel(context.caller.userId, input.id));
      tellVersion(context, snapshot);
      return session;
    }),
    reorder: call.reorder.handler(async ({ context, input }) => {
      const reordered = await sessions.reorder(context.caller.userId, input.id, input.before);
      const { session, snapshot } = answerOf(reordered);
      tellVersion(context, snapshot);
      return session;
    }),
    answer: call.answer.handler(async ({ context, input }) => {
      const { session, snapshot } = answerOf(await running.answer(input.id, input.questionId, input.option));
      tellVersion(context, snapshot);
      return session;
    }),
    message: call.message.handler(async ({ context, input: { params, headers, body } }) => {
      const key = headers?.["idempotency-key"] ?? null;
      const { session, snapshot } = answerOf(await running.message(context.caller.userId, params.id, body.text, key));
      tellVersion(context, snapshot);
      return session;
    }),
    // Its answer is an id and nothing more: an administrator need not be a member (S2).
    declareLost: call.declareLost.handler(async ({ input: { id } }) => {
      answerOf(await running.declareLost(id));
      return { id };
    }),
    events: call.events.handler(async ({ input: { id, after = 0 } }) => {
      const { format, events, next, complete } = answerOf(await transcripts.events(id, after));
      const headers = {
        "content-disposition": `attachment; filename="session-${id}.ndjson"`,
        "x-content-type-options": "nosniff",
        "x-format": format,
        "x-next-after": String(next),
        "x-complete": String(complete),
      };
      const lines = events.map((event) => `${JSON.stringify(event)}\n`);
      return { headers, body: new File(lines, "events", { type: "application/x-ndjson" }) };
    }),
    output: call.output.handler(async ({ input: { id, offset = 0, before, limit = OUTPUT_READ_MAX_BYTES } }) => {
      const wish = before === undefined ? { offset } : { before };
      const { bytes, offset: from, next, complete } = answerOf(await sessions.output(id, wish, limit));
      // Never shown by a browser as a page: bytes to save, of a type nobody guesses (S3).
      const headers = {
        "content-disposition": `attachment; filename="session-${id}.log"`,
        "x-content-type-options": "nosniff",
        "x-offset": String(from),
        "x-next-offset": String(next),
        "x-complete": String(complete),
      };
      return { headers, body: new File([new Uint8Array(bytes)], "output", { type: "application/octet-stream" }) };
    }),
  });
}
