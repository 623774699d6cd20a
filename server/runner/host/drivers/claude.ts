/**
 * Claude Code's two-way stream: messages in, messages out, and control requests both ways. Permission questions and its own
 * questions to people come as control requests. A turn ends with a `result`; with stdin closed it leaves.
 *
 * What it runs in the background (a command of more than 2 minutes by itself) may outlive the turn: it then begins another
 * one by itself, with an `init` of its own, once that is over.
 */
import { shownPath } from "../../../core/agent/events";
import { fieldsOf, type Json, listOf, textOf } from "../../../core/agent/json";
import { isSignOfLife } from "../../../core/agent/sign-of-life";
import type { AgentTalk } from "../../../ports/runner";
import type { Protocol, Speaker } from "./talk";

const ALLOW = "Allow";
const ALLOW_ALWAYS = "Allow for this session";
const DENY = "Deny";
const ASK_PEOPLE = "AskUserQuestion";

export function claudeProtocol(speaker: Speaker, talk: Extract<AgentTalk, { driver: "claude" }>): Protocol {
  /** What runs in the background, in its words. */
  let running: readonly string[] = [];
  let isBetweenTurns = false;

  const say = (text: string) => speaker.send({ type: "user", message: { role: "user", content: text } });

  const answer = (requestId: unknown, response: object) =>
    speaker.send({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });

  const refuse = (requestId: unknown) => {
    const error = "Camelot does not do this.";
    speaker.send({ type: "control_response", response: { subtype: "error", request_id: requestId, error } });
  };

  const askForTool = async (token: string, request: Json) => {
    const input = fieldsOf(request.input);
    const always = permissionsOfSession(request.permission_suggestions);
    const options = always.length > 0 ? [ALLOW, ALLOW_ALWAYS, DENY] : [ALLOW, DENY];
    const option = await speaker.ask(token, { text: questionFor(request, input), options });
    if (option === null) return;
    if (option === DENY) return answer(token, { behavior: "deny", message: "A person denied this." });
    const updatedPermissions = option === ALLOW_ALWAYS ? { updatedPermissions: always } : {};
    answer(token, { behavior: "allow", updatedInput: input, ...updatedPermissions });
  };

  /** Its own questions to people: one after the other, the answers by the text of the question. */
  const askPeople = async (token: string, request: Json) => {
    const input = fieldsOf(request.input);
    const answers: Record<string, string> = {};
    for (const question of listOf(input.questions).map(fieldsOf)) {
      const text = textOf(question.question) ?? "";
      const options = listOf(question.options).flatMap((option) => textOf(fieldsOf(option).label) ?? []);
      const option = await speaker.ask(token, { text, options });
      if (option === null) return;
      answers[text] = option;
    }
    answer(token, { behavior: "allow", updatedInput: { ...input, answers } });
  };

  const endTurn = (message: Json) => {
    if (message.is_error === true || message.subtype !== "success") {
      return speaker.over("error", textOf(message.result) ?? listOf(message.errors).join(" "), running);
    }
    if (running.length === 0 && !(Number(message.queued_turn_count) > 0)) return speaker.over("success");
    isBetweenTurns = true;
    speaker.waits(running);
  };

  const hearOfTasks = (message: Json) => {
    running = listOf(message.tasks).map((task) => {
      const { description, task_type: type } = fieldsOf(task);
      return textOf(description) ?? textOf(type) ?? "a task";
    });
    if (isBetweenTurns) speaker.waits(running);
  };

  return {
    begin(prompt) {
      speaker.begins(talk.resume);
      say(prompt);
    },
    isStray: () => false,
    receive(message) {
      // It has no greeting; whatever it says first shows that it is there.
      speaker.up();
      // No turn begins with one, and a helper that is only waited for is as quiet as before.
      if (isSignOfLife("claude", message)) return;
      if (isOfTurn(message)) {
        isBetweenTurns = false;
        speaker.works();
      }
      const token = textOf(message.request_id) ?? "";
      if (message.type === "control_request") {
        const request = fieldsOf(message.request);
        if (request.subtype !== "can_use_tool") refuse(token);
        else if (request.tool_name === ASK_PEOPLE) void askPeople(token, request);
        else void askForTool(token, request);
      } else if (message.type === "control_cancel_request") speaker.withdraw(token);
      else if (message.type === "system" && message.subtype === "background_tasks_changed") hearOfTasks(message);
      else if (message.type === "result") endTurn(message);
      else if (isBetweenTurns && isOfHelper(message)) speaker.waits(running);
    },
    say(text) {
      isBetweenTurns = false;
      say(text);
    },
    cancel() {
      speaker.send({ type: "control_request", request_id: "interrupt", request: { subtype: "interrupt" } });
    },
  };
}

/** Its own; helpers in the background work on between two turns. */
function isOfTurn({ type, subtype, parent_tool_use_id: helper }: Json): boolean {
  if (type === "system") return subtype === "init";
  return (type === "assistant" || type === "stream_event") && typeof helper !== "string";
}

/** What a helper does shows that it is at work, of which a command tells nothing. */
function isOfHelper({ type, subtype, parent_tool_use_id: helper }: Json): boolean {
  return typeof helper === "string" || (type === "system" && subtype === "task_progress");
}

function questionFor(request: Json, input: Json): string {
  const name = textOf(request.display_name) ?? textOf(request.tool_name) ?? "a tool";
  const file = textOf(input.file_path);
  const what =
    textOf(input.command) ??
    (file === null ? null : shownPath(file)) ??
    textOf(input.url) ??
    textOf(request.description);
  return what === null ? `May I use ${name}?` : `${name}: ${what}`;
}

/** Rules for this session only: nothing is written into the repository's own settings. */
function permissionsOfSession(suggestions: unknown): object[] {
  return listOf(suggestions)
    .map(fieldsOf)
    .filter(({ type }) => type === "addRules" || type === "setMode" || type === "addDirectories")
    .map((suggestion) => ({ ...suggestion, destination: "session" }));
}
