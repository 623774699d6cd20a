/**
 * Real agents, started as the product starts them, speaking with a model server of ours: what their settings have to be for
 * that, and nothing else. See scripts/agent-clis.mjs for where the programs come from.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { ensureAgentClis } from "../../scripts/agent-clis.mjs";
import { commandLine } from "../core/agent/command-line";
import type { StreamFormat } from "../core/agent/events";
import { knownProgram } from "../core/agent/known-programs";
import type { Resume } from "../core/agent/talking-agents";
import type { AgentCommand } from "../ports/runner";

export interface RealAgent {
  readonly name: "claude-code" | "codex" | "gemini";
  readonly format: StreamFormat;
  /** Settings under which it asks before it runs a command, and under which it does not. */
  readonly asking: Readonly<Record<string, unknown>>;
  readonly free: Readonly<Record<string, unknown>>;
  /** Whether this version always finds an earlier conversation again: Gemini CLI 0.61.0 finds those of its ACP sessions now and then. */
  readonly resumes: boolean;
}

const GEMINI_AS_OFFERED = knownProgram("gemini")?.acp;

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    name: "claude-code",
    format: "claude",
    asking: { permissionMode: "default" },
    free: { permissionMode: "acceptEdits", allowedTools: ["Bash"] },
    resumes: true,
  },
  {
    name: "codex",
    format: "codex",
    asking: { permissionMode: "ask" },
    free: { permissionMode: "full-access" },
    resumes: true,
  },
  {
    name: "gemini",
    format: "acp",
    asking: { argv: GEMINI_AS_OFFERED, mode: "default" },
    free: { argv: GEMINI_AS_OFFERED, mode: "yolo" },
    resumes: false,
  },
];

/** Variables with which they speak with the model at this address, keep what they keep in `home`, and try little again. */
export async function environmentOf(agent: RealAgent, modelUrl: string, home: string): Promise<Record<string, string>> {
  await mkdir(home, { recursive: true });
  const path = [ensureAgentClis(), process.env.PATH].join(delimiter);
  const common = { PATH: path, HOME: home };
  switch (agent.name) {
    case "claude-code":
      return {
        ...common,
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: "a-key-of-the-tests-only",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_MAX_RETRIES: "1",
        DISABLE_AUTOUPDATER: "1",
      };
    case "codex":
      await mkdir(join(home, ".codex"), { recursive: true });
      await writeFile(join(home, ".codex", "config.toml"), codexConfig(modelUrl));
      return { ...common, FAKE_MODEL_KEY: "a-key-of-the-tests-only" };
    case "gemini":
      await mkdir(join(home, ".gemini"), { recursive: true });
      await writeFile(join(home, ".gemini", "settings.json"), JSON.stringify(GEMINI_SETTINGS));
      return {
        ...common,
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GEMINI_API_KEY: "a-key-of-the-tests-only",
        GEMINI_CLI_NO_RELAUNCH: "true",
      };
    default:
      return agent.name satisfies never;
  }
}

export function commandOf(
  agent: RealAgent,
  settings: Readonly<Record<string, unknown>>,
  prompt: string,
  resume: Resume | null = null,
): AgentCommand {
  const kind = agent.name === "gemini" ? "acp" : agent.name;
  const line = commandLine({ kind, name: agent.name, settings }, prompt, resume);
  if (line.kind === "refused") throw new Error(line.sentence);
  const { argv, stdin, talk } = line;
  return { argv, stdin, ...(talk ? { talk } : {}) };
}

function codexConfig(modelUrl: string): string {
  return `model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
env_key = "FAKE_MODEL_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
}

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, previewFeatures: false },
  model: { name: "gemini-2.5-pro" },
};
