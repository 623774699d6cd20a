/**
 * What this machine can do beside starting agents: found out by trying, when somebody first asks. Nobody waits for a program
 * that is slow to say its version: what is known is told at once, and what the program says is known to whoever asks next.
 */
import { execFile } from "node:child_process";
import type { Machine, MachineFacts, ProgramVersion } from "../../ports/runner";
import { describeTreeEnding } from "../host/cgroup";
import { allowedEnvironment } from "../host/environment";
import { sandboxProblem } from "../host/sandbox";

/** A program that has not said its version by then is ended, ms. Some take seconds, and longer while agents start beside them. */
const VERSION_WITHIN_MS = 60_000;
/** So long after it has answered a program is not asked again: people install and update while we run, ms. */
const VERSION_KEPT_MS = 60_000;
const VERSION = /\d+\.\d+\.\d+[0-9A-Za-z.+-]*/;

interface KnownVersion extends ProgramVersion {
  /** When it answered last; monotonic, ms. */
  readonly answeredAt: number;
}

/** `stop`: programs that are being asked are ended. */
export function createMachine(environment: NodeJS.ProcessEnv): Machine & { stop(): void } {
  let found: Promise<MachineFacts> | null = null;
  const versions = new Map<string, KnownVersion>();
  const stopping = new AbortController();

  const askBeside = async (program: string, before: string | null) => {
    versions.set(program, { version: before, isAsked: true, answeredAt: 0 });
    const said = await askForVersion(program, environment, stopping.signal);
    // One that gave no answer may be as it was.
    const version = said === "no-answer" ? before : said;
    versions.set(program, { version, isAsked: false, answeredAt: performance.now() });
  };

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
      const isFresh = known !== undefined && performance.now() - known.answeredAt < VERSION_KEPT_MS;
      if (!known?.isAsked && !isFresh && !stopping.signal.aborted) void askBeside(program, known?.version ?? null);
      const { version = null, isAsked = false } = versions.get(program) ?? {};
      return { version, isAsked };
    },
    stop: () => stopping.abort(),
  };
}

async function lookAround(): Promise<MachineFacts> {
  return { treeEnding: describeTreeEnding(), sandboxProblem: await sandboxProblem() };
}

/** In the environment of agents, so that the same program answers that will be started (A1). */
function askForVersion(
  program: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | null | "no-answer"> {
  const env = allowedEnvironment(environment) as NodeJS.ProcessEnv;
  const limits = { timeout: VERSION_WITHIN_MS, killSignal: "SIGKILL", maxBuffer: 65_536 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, ["--version"], { env, cwd: "/", signal, ...limits }, (error, said) => {
      const version = VERSION.exec(said)?.[0] ?? null;
      resolve(version === null && error?.killed ? "no-answer" : version);
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}
