import { describe, expect, it } from "vitest";
import { commandLine, programOf, sandboxOf } from "./command-line";
import { formatOf, ownEnvironment, variablesOf } from "./talking-agents";

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

describe("how an agent with a protocol is started", () => {
  const resume = { conversation: "c-1", otherwise: "everything" };
  const start = (kind: string, settings: unknown, before: typeof resume | null = null) =>
    commandLine({ kind, name: "A", settings }, "--help $(id)\n'", before);

  it("[A2] the prompt is said by the protocol, and no part of the command line", () => {
    for (const [kind, settings] of [
      ["claude-code", {}],
      ["codex", {}],
      ["acp", { argv: ["agent", "--acp"] }],
    ] as const) {
      const line = start(kind, settings);
      if (line.kind === "refused") throw new Error(line.sentence);
      expect(line.stdin).toBe("--help $(id)\n'");
      expect(line.argv.join(" ")).not.toContain("$(id)");
      expect(line.talk?.resume).toBeNull();
    }
    expect(start("acp", { argv: [] })).toMatchObject({ kind: "refused" });
  });

  it("[A5] a follow-up names the conversation, and what to say where that is lost", () => {
    expect(start("claude-code", {}, resume)).toMatchObject({ argv: expect.arrayContaining(["--resume", "c-1"]) });
    expect(start("codex", {}, resume)).toMatchObject({ talk: { resume: "c-1", otherwise: "everything" } });
    expect(start("acp", { argv: ["x"] }, resume)).toMatchObject({ talk: { resume: "c-1", otherwise: "everything" } });
  });

  it("[A1] settings become the agent's own words; what is not known falls back to asking", () => {
    const settings = { model: "opus", permissionMode: "default", allowedTools: ["Bash", "Read"], arguments: ["--x"] };
    const argv = ["--permission-mode", "default", "--model", "opus", "--allowedTools", "Bash,Read", "--x"];
    expect(start("claude-code", settings)).toMatchObject({ argv: expect.arrayContaining(argv) });
    expect(start("claude-code", { permissionMode: "everything" })).toMatchObject({
      argv: expect.arrayContaining(["--permission-mode", "acceptEdits"]),
    });
    expect(start("codex", { permissionMode: "full-access", model: "m" })).toMatchObject({
      argv: ["codex", "app-server"],
      talk: { model: "m", approvalPolicy: "never", sandbox: "danger-full-access" },
    });
    expect(start("codex", null)).toMatchObject({ talk: { approvalPolicy: "on-request", sandbox: "workspace-write" } });
    expect(start("acp", { argv: ["gemini", "--acp"], mode: "yolo" })).toMatchObject({
      talk: { mode: "yolo", model: null },
    });
    expect(variablesOf({ environment: ["ANTHROPIC_API_KEY", 1] })).toEqual(["ANTHROPIC_API_KEY"]);
    expect(ownEnvironment("claude-code")).toEqual({ DISABLE_AUTOUPDATER: "1" });
    expect(["claude-code", "codex", "acp", "shell", "command"].map(formatOf)).toEqual([
      "claude",
      "codex",
      "acp",
      "text",
      "text",
    ]);
  });
});
