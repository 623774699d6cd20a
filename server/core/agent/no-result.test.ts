import { describe, expect, it } from "vitest";
import type { AgentErrorKind, AgentEvent } from "./events";
import { holdsForOthers, noResultSentence } from "./no-result";
import { readAcp } from "./read-acp";

const sentence = (error: AgentErrorKind, message = "", until: number | null = null, program = "claude") =>
  noResultSentence({
    name: "Reviewer",
    program,
    trouble: { error, status: null, message },
    until,
    timeZone: "Europe/Berlin",
  });

const isError = (event: AgentEvent) => event.kind === "error";

describe("an agent that brought no result, in words", () => {
  it("[A8] says who has to log in, and how", () => {
    expect(sentence("not-logged-in", "Invalid  API\nkey")).toBe(
      'Reviewer is not logged in on the machine that runs agents: run "claude" there and log in, or give it a key. It said: “Invalid API key”',
    );
    expect(sentence("not-logged-in", "", null, "/opt/own-agent")).toContain(": log in there, or give it a key.");
  });

  it("[A8] says until when a limit holds, in the installation's time, or only that it does", () => {
    expect(sentence("usage-limit", "limit", Date.UTC(2026, 10, 30, 14, 5))).toBe(
      "The usage limit of Reviewer is reached until 15:05 (30 Nov).",
    );
    expect(sentence("usage-limit", "fake 429")).toBe("The usage limit of Reviewer is reached. It said: “fake 429”");
  });

  it("[R3] every kind has a sentence, and long words are cut", () => {
    const kinds: AgentErrorKind[] = [
      ...(["service", "connection", "refused", "own-limit"] as const),
      ...(["wrong-setting", "conversation-lost", "other"] as const),
    ];
    for (const kind of kinds) expect(sentence(kind)).toMatch(/^[A-Z].*\.$/);
    expect(sentence("other", "x".repeat(1_000)).length).toBeLessThan(400);
  });

  it("[R3] quotes what the agent said, and nothing that it did not say", () => {
    const stopped = (stopReason: string) => {
      const [error] = readAcp({ jsonrpc: "2.0", id: 3, result: { stopReason } })?.filter(isError) ?? [];
      if (error === undefined) throw new Error(`${stopReason} is no error`);
      return noResultSentence({ name: "R", program: "r", trouble: error, until: null, timeZone: "UTC" });
    };
    expect(stopped("max_tokens")).toBe("The agent stopped at a limit of its own: the most tokens of one answer.");
    expect(stopped("refusal")).toBe("The model refused the request.");
    expect(stopped("because_i_say_so")).toBe("The agent stopped for a reason of its own: because_i_say_so.");
    expect(sentence("refused", "bad request")).toBe("The model's service refused the request. It said: “bad request”");
  });

  it("[A8] only a login, a usage limit and a wrong setting would stop the next ones as well", () => {
    const holds = (error: AgentErrorKind) => holdsForOthers({ error, status: null, message: "" });
    expect(holds("not-logged-in") && holds("usage-limit") && holds("wrong-setting")).toBe(true);
    expect((["service", "connection", "refused", "own-limit", "conversation-lost", "other"] as const).some(holds)).toBe(
      false,
    );
  });
});
