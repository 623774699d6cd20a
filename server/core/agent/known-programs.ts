/** Agents that are known by their program: how a missing one is installed, and with which version this release was tested. */

export interface KnownProgram {
  readonly title: string;
  /** A command that installs it. */
  readonly install: string;
  /** Null: its protocol is known, this program was not run by the tests. */
  readonly testedWith: string | null;
  /** How a person logs in, on the machine that runs agents. */
  readonly login: string;
  /** With which it speaks the Agent Client Protocol; null: it is spoken with by its own. */
  readonly acp: readonly string[] | null;
}

const KNOWN: Readonly<Record<string, KnownProgram>> = {
  claude: {
    title: "Claude Code",
    install: "npm install -g @anthropic-ai/claude-code",
    testedWith: "2.1.332",
    login: 'run "claude" there and log in',
    acp: null,
  },
  codex: {
    title: "Codex",
    install: "npm install -g @openai/codex",
    testedWith: "0.171.0",
    login: 'run "codex login" there',
    acp: null,
  },
  gemini: {
    title: "Gemini CLI",
    install: "npm install -g @google/gemini-cli",
    testedWith: "0.61.0",
    login: 'run "gemini" there and log in',
    // It trusts no folder that nobody has opened by hand, as no worktree has been, and then refuses modes that ask less.
    acp: ["gemini", "--acp", "--skip-trust"],
  },
  opencode: {
    title: "opencode",
    install: "npm install -g opencode-ai",
    testedWith: null,
    login: 'run "opencode auth login" there',
    acp: ["opencode", "acp"],
  },
  qwen: {
    title: "Qwen Code",
    install: "npm install -g @qwen-code/qwen-code",
    testedWith: null,
    login: 'run "qwen" there and log in',
    acp: ["qwen", "--acp"],
  },
  copilot: {
    title: "GitHub Copilot CLI",
    install: "npm install -g @github/copilot",
    testedWith: null,
    login: 'run "copilot" there and log in',
    acp: ["copilot", "--acp"],
  },
};

/** By the program's name or path. */
export function knownProgram(program: string): KnownProgram | null {
  const name = program.split("/").at(-1) ?? "";
  return Object.hasOwn(KNOWN, name) ? (KNOWN[name] ?? null) : null;
}

/** By the name they are started with. */
export const KNOWN_PROGRAMS: readonly (readonly [string, KnownProgram])[] = Object.entries(KNOWN);
