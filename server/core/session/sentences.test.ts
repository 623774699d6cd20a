import { describe, expect, it } from "vitest";
import { FAILURE_KINDS } from "../words";
import { type FailureFacts, failureSentence, whatToDoNext } from "./sentences";

const facts: FailureFacts = { kind: "agent-exited", detail: null, exitCode: 1, signal: null, workUnsaved: null };

describe("a failure in words", () => {
  it("[QUE-1][R3] names the exit code or the signal", () => {
    expect(failureSentence(facts)).toBe("The agent exited with code 1.");
    expect(failureSentence({ ...facts, exitCode: null, signal: "SIGKILL" })).toBe("The agent was killed by SIGKILL.");
  });

  it("[R2][R3] says why it could not start and whether the work of a lost runner is kept", () => {
    const noStart = { ...facts, kind: "could-not-start", exitCode: null } as const;
    expect(failureSentence(noStart)).toBe("The agent could not start.");
    expect(failureSentence({ ...noStart, detail: "it was tried 4 times" })).toBe(
      "The agent could not start: it was tried 4 times.",
    );
    expect(failureSentence({ ...noStart, detail: "There is nothing at /srv/shop." })).toBe(
      "There is nothing at /srv/shop.",
    );
    const lost = { ...facts, kind: "runner-lost", exitCode: null } as const;
    expect(failureSentence(lost)).toBe("The runner was lost. Work kept.");
    expect(failureSentence({ ...lost, workUnsaved: "The disk is full." })).toBe("The runner was lost.");
  });

  it("[R9] says after how long it was stopped", () => {
    expect(failureSentence({ ...facts, kind: "timed-out", detail: "2 h" })).toBe("Stopped after 2 h, the longest run.");
  });

  it("[R5] says who stopped it, when it was nobody of ours", () => {
    const stopped = { ...facts, kind: "stopped", exitCode: null } as const;
    expect(failureSentence({ ...stopped, detail: "operator" })).toMatch(
      /^Stopped by whoever runs the server, with `npm run/,
    );
    expect(failureSentence(stopped)).toMatch(/^Stopped from outside/);
  });

  it("[R3] every kind of failure has a sentence and what to do next", () => {
    for (const kind of FAILURE_KINDS) {
      expect(failureSentence({ ...facts, kind })).toMatch(/^[A-Z].*\.$/);
      expect(whatToDoNext(kind)).toMatch(/^[A-Z].*\.$/);
    }
  });
});
