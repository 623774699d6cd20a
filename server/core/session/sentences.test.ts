import { describe, expect, it } from "vitest";
import { FAILURE_KINDS } from "../words";
import { DISK_FULL, setupFailure } from "./details";
import { type FailureFacts, failureSentence, whatToDoNext } from "./sentences";

const facts: FailureFacts = { kind: "agent-exited", detail: null, exitCode: 1, signal: null, workUnsaved: null };

describe("a failure in words", () => {
  it("[QUE-1][R3] names the exit code or the signal", () => {
    expect(failureSentence(facts)).toBe("The agent exited with code 1.");
    expect(failureSentence({ ...facts, exitCode: 141 })).toBe(
      "The agent exited with code 141: it wrote into a pipe that nobody read any more.",
    );
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
    const silent = "Stopped after 2 h, the longest run. It had said nothing for 1 h.";
    expect(failureSentence({ ...facts, kind: "timed-out", detail: silent })).toBe(silent);
  });

  it("[R3][R12] what to do next fits the failure: a named cause is put right, an answer is given in a follow-up", () => {
    expect(whatToDoNext({ ...facts, kind: "no-result" })).toMatch(/^The end of the output says why/);
    expect(whatToDoNext({ ...facts, kind: "no-result", detail: "Claude is not logged in." })).toMatch(
      /^Once that is put right, or over, /,
    );
    expect(whatToDoNext({ ...facts, kind: "no-answer" })).toBe(
      "Its work is on the branch. Answer in a follow-up, which goes on with it.",
    );
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
      expect(whatToDoNext({ ...facts, kind })).toMatch(/^[A-Z].*\.$/);
      expect(whatToDoNext({ ...facts, kind, detail: "It is so." })).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("[R3][A1][R14] what to do next fits what happened: a script that ran, a full disk, a kill from outside", () => {
    const noStart = { ...facts, kind: "could-not-start" } as const;
    expect(whatToDoNext({ ...noStart, detail: setupFailure("failed with exit code 1") })).toMatch(
      /^The end of the output says why\. An owner can change the script/,
    );
    expect(whatToDoNext(noStart)).toMatch(/^The agent has done nothing\. Put right what is named/);
    expect(whatToDoNext({ ...facts, detail: DISK_FULL })).toMatch(/^Make room on the server's disk, then retry/);
    expect(whatToDoNext({ ...facts, signal: "SIGKILL" })).not.toMatch(/says why|prompt/);
    expect(whatToDoNext(facts)).toMatch(/^The end of the output says why\. Change the prompt if needed/);
  });

  it("[W2][R12] says of no work that it is on the branch when it could not be saved", () => {
    expect(whatToDoNext({ ...facts, kind: "no-answer" })).toContain("on the branch");
    for (const kind of FAILURE_KINDS) {
      expect(whatToDoNext({ ...facts, kind, workUnsaved: "The disk is full." })).not.toContain("on the branch");
    }
  });
});
