import { describe, expect, it } from "vitest";
import { commandLine, programOf, sandboxOf } from "./command-line";

const PROMPTS = [
  "--version",
  "-",
  "--",
  "$(id) `id`",
  `"; touch x; echo "`,
  "' && echo '",
  "100% of %s and !history! and \\n stays two characters",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the very text that must not be filled in.
  "{{title}} ${HOME} <%= 7*7 %> $& $1 $$ {{prompt}} {{promptFile}} {{runFolder}}",
  "line one\nline two\r\n\n",
  "🦁 – ≤ \u202e",
  "",
];
const via = (promptVia: string, ...argv: string[]) => ({
  kind: "command",
  name: "Echo",
  settings: { argv, promptVia },
});

describe("how an agent is started", () => {
  it("[A2] the shell agent's script is a file, and no part of a command line", () => {
    for (const prompt of PROMPTS) {
      expect(commandLine({ kind: "shell", name: "Shell", settings: {} }, prompt)).toEqual({
        kind: "command",
        argv: ["bash", "-euo", "pipefail", "{{runFolder}}/script.sh"],
        stdin: null,
        files: { "script.sh": prompt },
      });
    }
  });

  it("[A2][PRC-3] a prompt arrives whole on stdin, as one argument or as a file, whatever its shape", () => {
    for (const prompt of PROMPTS) {
      const onStdin = commandLine(via("stdin", "agent", "--flag"), prompt);
      expect(onStdin).toEqual({ kind: "command", argv: ["agent", "--flag"], stdin: prompt });
      const asArgument = commandLine(via("argument", "agent", "--prompt={{prompt}}", "--", "{{prompt}}"), prompt);
      expect(asArgument).toEqual({ kind: "command", argv: ["agent", `--prompt=${prompt}`, "--", prompt], stdin: null });
      const asFile = commandLine(via("file", "agent", "@{{promptFile}}"), prompt);
      expect(asFile).toEqual({
        kind: "command",
        argv: ["agent", "@{{runFolder}}/prompt.txt"],
        stdin: null,
        files: { "prompt.txt": prompt },
      });
    }
  });

  it("[A2] a prompt never chooses the program", () => {
    expect(commandLine(via("argument", "{{prompt}}", "{{prompt}}"), "rm")).toMatchObject({
      argv: ["{{prompt}}", "rm"],
    });
    expect(commandLine(via("argument", "{{prompt}}"), "rm")).toMatchObject({ kind: "refused" });
  });

  it("[A2] 3 MB go through stdin and file, and are refused as an argument with a sentence", () => {
    const prompt = "x".repeat(3_000_000);
    expect(commandLine(via("stdin", "agent"), prompt)).toMatchObject({ stdin: prompt });
    expect(commandLine(via("file", "agent", "{{promptFile}}"), prompt)).toMatchObject({
      files: { "prompt.txt": prompt },
    });
    expect(commandLine(via("argument", "agent", "{{prompt}}"), prompt)).toEqual({
      kind: "refused",
      sentence: "The prompt is too long for an argument (128 KB). Let the agent read it from stdin or a file.",
    });
  });

  it("[A2] settings that are no command are refused in words", () => {
    for (const settings of [
      null,
      {},
      { argv: [] },
      { argv: [1] },
      { argv: ["x"], promptVia: "telepathy" },
      { argv: [""] },
    ]) {
      expect(commandLine({ kind: "command", name: "Echo", settings }, "p")).toMatchObject({ kind: "refused" });
    }
    expect(commandLine(via("file", "agent"), "p")).toMatchObject({
      sentence: expect.stringContaining("{{promptFile}}"),
    });
    expect(commandLine({ kind: "oracle", name: "O", settings: {} }, "p")).toMatchObject({ kind: "refused" });
    expect(programOf(via("stdin", "agent"))).toEqual({ kind: "program", name: "agent" });
    expect(programOf({ kind: "shell", name: "Shell", settings: {} })).toEqual({ kind: "program", name: "bash" });
  });

  it("[R7] an agent of any kind is locked up only when its settings say so", () => {
    expect(sandboxOf({ argv: ["x"], sandbox: "bubblewrap" })).toBe("bubblewrap");
    for (const settings of [null, "bubblewrap", {}, { sandbox: "none" }, { sandbox: true }]) {
      expect(sandboxOf(settings)).toBe("none");
    }
  });
});
