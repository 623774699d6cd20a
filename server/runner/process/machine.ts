/** What this machine can do beside starting agents: found out by trying, when somebody first asks. */
import { execFile } from "node:child_process";
import type { Machine, MachineFacts } from "../../ports/runner";
import { describeTreeEnding } from "../host/cgroup";
import { allowedEnvironment } from "../host/environment";
import { sandboxProblem } from "../host/sandbox";

/** A program that says nothing of its version by then says none, ms. */
const VERSION_WITHIN_MS = 5_000;
/** So long a version is not asked for again: people install and update while we run, ms. */
const VERSION_KEPT_MS = 60_000;
const VERSION = /\d+\.\d+\.\d+[0-9A-Za-z.+-]*/;

interface KnownVersion {
  readonly asked: number;
  readonly version: Promise<string | null>;
}

export function createMachine(environment: NodeJS.ProcessEnv): Machine {
  let found: Promise<MachineFacts> | null = null;
  const versions = new Map<string, KnownVersion>();
  return {
    facts() {
      found ??= lookAround();
      return found;
    },
    variables(names) {
      return Object.fromEntries(
        names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
      );
    },
    version(program) {
      const known = versions.get(program);
      if (known && performance.now() - known.asked < VERSION_KEPT_MS) return known.version;
      const version = askForVersion(program, environment);
      versions.set(program, { asked: performance.now(), version });
      return version;
    },
  };
}

async function lookAround(): Promise<MachineFacts> {
  return { treeEnding: describeTreeEnding(), sandboxProblem: await sandboxProblem() };
}

/** In the environment of agents, so that the same program answers that will be started (A1). */
function askForVersion(program: string, environment: NodeJS.ProcessEnv): Promise<string | null> {
  const env = allowedEnvironment(environment) as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    const options = { env, cwd: "/", timeout: VERSION_WITHIN_MS, killSignal: "SIGKILL", maxBuffer: 65_536 } as const;
    const child = execFile(program, ["--version"], options, (_error, said) => resolve(VERSION.exec(said)?.[0] ?? null));
    child.stdin?.end();
  });
}
