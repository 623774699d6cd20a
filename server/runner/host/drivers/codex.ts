/**
 * Codex's app-server: a thread is started or taken up again, each prompt is a turn in it. Approvals come as requests of the
 * server. What a person says meanwhile is put into the turn that runs, or becomes the next one.
 */
import { fieldsOf, type Json, listOf, textOf } from "../../../core/agent/json";
import { withoutShell } from "../../../core/agent/shell-command";
import type { AgentTalk } from "../../../ports/runner";
import { createRequests } from "./requests";
import type { Protocol, Speaker } from "./talk";

const ALLOW = "Allow";
const ALLOW_ALWAYS = "Allow for this session";
const DENY = "Deny";
const METHOD_NOT_FOUND = -32_601;
const CLIENT = { name: "camelot", title: "Camelot", version: "1" };

export function codexProtocol(speaker: Speaker, talk: Extract<AgentTalk, { driver: "codex" }>, cwd: string): Protocol {
  const requests = createRequests(speaker, {});
  let threadId = "";
  let turnId: string | null = null;
  /** Said while nothing could be said. */
  let unsaid: string[] = [];
  /** Commands that have not ended, by their items: it goes on without them after some seconds, and begins no turn when they end. */
  const running = new Map<unknown, string>();

  const fail = (error: Json) => speaker.over("error", textOf(error.message) ?? "Codex refused the request.");

  const startTurn = (text: string) => {
    requests.send("turn/start", { threadId, input: [{ type: "text", text }] }, (result, error) => {
      if (result === null) return fail(error);
      turnId = textOf(fieldsOf(result.turn).id);
      for (const more of unsaid.splice(0)) steer(more);
    });
  };

  const steer = (text: string) => {
    if (turnId === null) {
      unsaid.push(text);
      return;
    }
    const params = { threadId, expectedTurnId: turnId, input: [{ type: "text", text }] };
    requests.send("turn/steer", params, (result) => {
      if (result === null) unsaid.push(text);
    });
  };

  const openThread = (prompt: string, resume: string | null) => {
    const { model, approvalPolicy, sandbox } = talk;
    const settings = { cwd, approvalPolicy, sandbox, ...(model === null ? {} : { model }) };
    const opened = (result: Json | null, error: Json) => {
      if (result === null && resume !== null && talk.otherwise !== null) {
        speaker.lost();
        return openThread(talk.otherwise, null);
      }
      const id = textOf(fieldsOf(result?.thread).id);
      if (result === null || id === null) return fail(error);
      threadId = id;
      speaker.up();
      speaker.begins(id);
      startTurn(prompt);
    };
    if (resume === null) requests.send("thread/start", settings, opened);
    else requests.send("thread/resume", { threadId: resume, excludeTurns: true, ...settings }, opened);
  };

  const approve = async (id: unknown, text: string) => {
    const option = await speaker.ask(String(id), { text, options: [ALLOW, ALLOW_ALWAYS, DENY] });
    const decision = { [ALLOW]: "accept", [ALLOW_ALWAYS]: "acceptForSession", [DENY]: "decline" }[option ?? ""];
    speaker.send({ id, result: { decision: decision ?? "cancel" } });
  };

  const askPeople = async (id: unknown, params: Json) => {
    const answers: Record<string, { answers: string[] }> = {};
    for (const question of listOf(params.questions).map(fieldsOf)) {
      const options = listOf(question.options).flatMap((option) => textOf(fieldsOf(option).label) ?? []);
      const option = await speaker.ask(String(id), { text: textOf(question.question) ?? "", options });
      answers[textOf(question.id) ?? ""] = { answers: option === null ? [] : [option] };
    }
    speaker.send({ id, result: { answers } });
  };

  const serve = (message: Json) => {
    const params = fieldsOf(message.params);
    const reason = textOf(params.reason);
    switch (message.method) {
      case "item/commandExecution/requestApproval":
        return void approve(message.id, `Run: ${commandOf(params.command) ?? reason ?? "a command"}`);
      case "item/fileChange/requestApproval":
        return void approve(message.id, reason ?? "May I change files?");
      case "item/tool/requestUserInput":
        return void askPeople(message.id, params);
      default:
        return speaker.send({
          id: message.id,
          error: { code: METHOD_NOT_FOUND, message: "Camelot does not do this." },
        });
    }
  };

  const endTurn = (turn: Json) => {
    turnId = null;
    if (turn.status === "completed" && unsaid.length > 0) return startTurn(unsaid.splice(0).join("\n\n"));
    if (turn.status === "completed") return speaker.over("success", undefined, [...running.values()]);
    speaker.over("error", textOf(fieldsOf(turn.error).message) ?? undefined);
  };

  const hearOfItem = (item: Json, isOver: boolean) => {
    if (item.type !== "commandExecution") return;
    const [action] = listOf(item.commandActions).map(fieldsOf);
    if (isOver) running.delete(item.id);
    else running.set(item.id, textOf(action?.command) ?? textOf(item.command) ?? "a command");
  };

  return {
    begin(prompt) {
      requests.send("initialize", { clientInfo: CLIENT }, (result, error) => {
        if (result === null) return fail(error);
        speaker.send({ method: "initialized" });
        openThread(prompt, talk.resume);
      });
    },
    isStray: requests.isStray,
    receive(message) {
      if (requests.take(message)) return;
      const params = fieldsOf(message.params);
      if (message.id !== undefined) serve(message);
      else if (message.method === "turn/completed" && params.threadId === threadId) endTurn(fieldsOf(params.turn));
      else if (message.method === "item/started") hearOfItem(fieldsOf(params.item), false);
      else if (message.method === "item/completed") hearOfItem(fieldsOf(params.item), true);
      else if (message.method === "serverRequest/resolved") speaker.withdraw(String(params.requestId));
    },
    say(text) {
      // Between two turns: the one before was over when this was said.
      if (turnId === null && threadId !== "" && unsaid.length === 0) startTurn(text);
      else steer(text);
    },
    cancel() {
      unsaid = [];
      if (turnId === null) return speaker.over("error");
      requests.send("turn/interrupt", { threadId, turnId }, () => {});
    },
  };
}

function commandOf(value: unknown): string | null {
  const command = textOf(value);
  return command === null ? null : withoutShell(command);
}
