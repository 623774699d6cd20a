/**
 * The Agent Client Protocol, version 1: any agent that speaks it. Offers the agent nothing (no files, no terminals): it works
 * in its own folder with its own tools. What a person says meanwhile becomes the next prompt of the same session.
 */
import { fieldsOf, type Json, listOf, textOf } from "../../../core/agent/json";
import { FIRST_WISH_ID, wordsOfError } from "../../../core/agent/read-acp";
import { type RefusedSetting, refusedSentence } from "../../../core/agent/refused-setting";
import type { AgentTalk } from "../../../ports/runner";
import { createReplay } from "./replay";
import { createRequests } from "./requests";
import type { Protocol, Speaker } from "./talk";

const METHOD_NOT_FOUND = -32_601;
const PROTOCOL_VERSION = 1;
const HELLO = {
  protocolVersion: PROTOCOL_VERSION,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: "camelot", title: "Camelot", version: "1" },
};

export function acpProtocol(speaker: Speaker, talk: Extract<AgentTalk, { driver: "acp" }>, cwd: string): Protocol {
  const envelope = { jsonrpc: "2.0" };
  const requests = createRequests(speaker, envelope);
  const replay = createReplay();
  const place = { cwd, mcpServers: [] };
  let sessionId = "";
  let isPrompted = false;
  let hasBegun = false;
  let isCancelled = false;
  const unsaid: string[] = [];

  /** Why it never gets its prompt; null: it does. */
  let givenUp: string | null = null;

  const wordsFor = (error: Json) => textOf(error.message) ?? "The agent refused the request.";
  const giveUp = (message: string) => {
    givenUp = message;
    speaker.over("error", message);
  };
  const fail = (error: Json) => giveUp(wordsFor(error));

  const prompt = (text: string) => {
    isPrompted = true;
    hasBegun = true;
    requests.send("session/prompt", { sessionId, prompt: [{ type: "text", text }] }, (result, error) => {
      isPrompted = false;
      if (result === null) return speaker.over("error", wordsFor(error));
      const more = unsaid.splice(0);
      if (result.stopReason === "end_turn" && more.length > 0) return prompt(more.join("\n\n"));
      if (result.stopReason === "end_turn") return speaker.over("success");
      speaker.over("error", textOf(result.stopReason) ?? undefined);
    });
  };

  /** An agent that does not take its mode or model is no longer the one people chose: it gets no prompt (`refused` is told why). */
  const wish = (session: Json, then: () => void, refused: (setting: RefusedSetting) => void) => {
    const wishes = [modeWish(talk.mode, session), modelWish(talk.model, session)].filter((each) => each !== null);
    const unknown = unknownMode(talk.mode, session);
    if (unknown !== null) return refused(unknown);
    const next = (place: number) => {
      const found = wishes[place];
      if (!found) return then();
      const answered = (result: Json | null, error: Json) => {
        if (result !== null) return next(place + 1);
        refused({ setting: found.setting, wanted: found.wanted, said: wordsOfError(error), offered: [] });
      };
      requests.send(found.method, { sessionId, ...found.params }, answered, FIRST_WISH_ID + place);
    };
    next(0);
  };

  const open = (capabilities: Json, text: string, resume: string | null) => {
    const isResumed = fieldsOf(capabilities.sessionCapabilities).resume !== undefined;
    const isLoaded = !isResumed && capabilities.loadSession === true;
    const openNew = () => {
      speaker.lost();
      open(capabilities, talk.otherwise ?? text, null);
    };
    const begin = () => {
      speaker.begins(sessionId);
      if (!isCancelled) prompt(text);
    };
    const opened = (result: Json | null, error: Json) => {
      if (result === null && resume !== null) return openNew();
      if (result === null) return fail(error);
      sessionId = textOf(result.sessionId) ?? resume ?? "";
      // What is told once more of a loaded conversation comes before anything of this session.
      const afterReplay = (then: () => void) => (resume !== null && isLoaded ? replay.whenOver(then) : then());
      const ready = () => {
        speaker.up();
        afterReplay(begin);
      };
      const refused = (setting: RefusedSetting) =>
        afterReplay(() => {
          speaker.refuses(setting);
          giveUp(refusedSentence(setting));
        });
      wish(result, ready, refused);
    };
    if (resume === null) return requests.send("session/new", place, opened);
    if (!isResumed && !isLoaded) return openNew();
    requests.send(isResumed ? "session/resume" : "session/load", { sessionId: resume, ...place }, opened);
  };

  const permit = async (id: unknown, params: Json) => {
    // What holds for this once comes before what holds from now on: the first is what a hasty thumb presses.
    const isLasting = (option: Json) => (textOf(option.kind) === "allow_always" ? 1 : 0);
    const options = listOf(params.options)
      .map(fieldsOf)
      .toSorted((one, other) => isLasting(one) - isLasting(other));
    const names = options.map((option) => textOf(option.name) ?? textOf(option.optionId) ?? "");
    const toolCall = fieldsOf(params.toolCall);
    const command = textOf(fieldsOf(toolCall.rawInput).command);
    const text = command ?? textOf(toolCall.title) ?? "May I go on?";
    const name = await speaker.ask(String(id), { text, options: names });
    const chosen = name === null ? undefined : options[names.indexOf(name)];
    const outcome = chosen ? { outcome: "selected", optionId: chosen.optionId } : { outcome: "cancelled" };
    speaker.send({ ...envelope, id, result: { outcome } });
  };

  return {
    begin(text) {
      requests.send("initialize", HELLO, (result, error) => {
        if (result === null) return fail(error);
        const foreign = foreignVersion(result.protocolVersion);
        if (foreign !== null) return speaker.unfit(foreign);
        open(fieldsOf(result.agentCapabilities), text, talk.resume);
      });
    },
    isStray: requests.isStray,
    receive(message) {
      replay.heard();
      if (requests.take(message) || message.id === undefined) return;
      if (message.method === "session/request_permission") void permit(message.id, fieldsOf(message.params));
      else {
        const error = { code: METHOD_NOT_FOUND, message: "Camelot does not do this." };
        speaker.send({ ...envelope, id: message.id, error });
      }
    },
    say(text) {
      if (givenUp !== null) speaker.over("error", givenUp);
      else if (isPrompted || !hasBegun) unsaid.push(text);
      else prompt(text);
    },
    cancel() {
      isCancelled = true;
      unsaid.length = 0;
      if (!isPrompted) return speaker.over("error");
      speaker.send({ ...envelope, method: "session/cancel", params: { sessionId } });
    },
  };
}

/** Null: ours, or it does not say. Otherwise why there is no speaking with it. */
function foreignVersion(version: unknown): string | null {
  if (version === undefined || Number(version) === PROTOCOL_VERSION) return null;
  const theirs = typeof version === "number" ? `version ${version}` : "another version";
  return `The agent speaks ${theirs} of the Agent Client Protocol, and Camelot version ${PROTOCOL_VERSION}: install a version of the agent that speaks that one.`;
}

interface Wish {
  readonly setting: RefusedSetting["setting"];
  readonly wanted: string;
  readonly method: string;
  readonly params: object;
}

/** An agent that tells of no modes is asked all the same: it answers in its own words. */
function modeWish(modeId: string | null, session: Json): Wish | null {
  if (modeId === null) return null;
  const plain: Wish = { setting: "mode", wanted: modeId, method: "session/set_mode", params: { modeId } };
  return session.modes == null ? (optionWish("mode", modeId, session) ?? plain) : plain;
}

function modelWish(modelId: string | null, session: Json): Wish | null {
  if (modelId === null) return null;
  const plain: Wish = { setting: "model", wanted: modelId, method: "session/set_model", params: { modelId } };
  return optionWish("model", modelId, session) ?? plain;
}

function optionWish(setting: Wish["setting"], wanted: string, session: Json): Wish | null {
  const option = listOf(session.configOptions)
    .map(fieldsOf)
    .find(({ category }) => category === setting);
  if (option === undefined) return null;
  const params = { configId: option.id, value: wanted };
  return { setting, wanted, method: "session/set_config_option", params };
}

/** A mode that is not among those the agent has told of: some would take it without a word, and stay as they are. */
function unknownMode(wanted: string | null, session: Json): RefusedSetting | null {
  const offered = listOf(fieldsOf(session.modes).availableModes).flatMap((mode) => textOf(fieldsOf(mode).id) ?? []);
  if (wanted === null || offered.length === 0 || offered.includes(wanted)) return null;
  return { setting: "mode", wanted, said: null, offered };
}
