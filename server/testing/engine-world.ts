/**
 * For tests of the whole engine: a database, a data directory, repositories and agents that are real, and a server process
 * (`engine-process.ts`) that can be started, stopped and killed. Looks at rows, processes and git, never into the server.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import postgres from "postgres";
import type { LiveSession, UserCounts } from "../core/pool/picture";
import { createSeal } from "../db/sealed";
import { createVariableStore } from "../db/variable-store";
import type { CancelAnswer, Caps, Enqueued, NewSession, WrittenDown } from "../engine/pool";
import type { SupervisorLimits } from "../engine/session/session-supervisor";
import type { Runner } from "../ports/runner";
import { createProcessRunner } from "../runner/process/process-runner";
import { createRows, type SessionRow, takeAway } from "./engine-rows";
import { runGit } from "./git-repositories";
import { bundleHost } from "./host-bundle";
import { testDatabase } from "./postgres";
import { waitFor } from "./wait-for";

export interface EngineSettings {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly hostBundle: string;
  /** The installation's, which project secrets are sealed with. */
  readonly secret: string;
  readonly limits: Partial<SupervisorLimits>;
}

export interface EngineVerbs {
  enqueue(session: NewSession): Promise<Enqueued>;
  cancel(sessionId: string, by: string): Promise<CancelAnswer | WrittenDown>;
  setCaps(change: Partial<Caps>): Promise<Caps>;
  live(): Promise<readonly LiveSession[]>;
  counts(userId: string): Promise<UserCounts>;
}

export interface EngineCall {
  readonly id: number;
  readonly verb: keyof EngineVerbs;
  readonly args: readonly unknown[];
}

export interface Engine extends EngineVerbs {
  /** `kill -9`; resolves when the process is dead. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>;
}

export interface AgentWish {
  readonly argv?: readonly string[];
  readonly promptVia?: "stdin" | "argument" | "file";
  readonly user?: string;
}

/** Of the installation. */
const SECRET = "a secret of thirty-two letters or more";

/** For a machine that is busy with other tests; nothing waits that long on a calm one. */
const PATIENCE_MS = 40_000;

export type EngineWorld = Awaited<ReturnType<typeof engineWorld>>;

export async function engineWorld() {
  const folder = await mkdtemp(join(tmpdir(), "camelot-engine-"));
  const [database, host, program] = await Promise.all([testDatabase(), bundleHost(), bundleEngine(folder)]);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const sql = postgres(database.url, { max: 4, transform: postgres.camel });
  const runner = createProcessRunner({ dataDir, hostBundle: host.path });
  const engines: Engine[] = [];
  const rows = createRows(sql);

  const world = {
    folder,
    dataDir,
    databaseUrl: database.url,
    sql,
    runner,
    variables: createVariableStore(sql, createSeal(SECRET)),
    ...rows,
    async startEngine(
      environment: NodeJS.ProcessEnv = process.env,
      limits: Partial<SupervisorLimits> = {},
      databaseUrl = database.url,
    ) {
      const settings = { databaseUrl, dataDir, hostBundle: host.path, secret: SECRET, limits };
      const engine = await startEngine(program, settings, environment);
      engines.push(engine);
      return engine;
    },
    /** Dispatches a new task for this prompt. */
    async dispatch(engine: Engine, project: string, prompt: string, wish: AgentWish = {}) {
      const user = wish.user ?? "a";
      await rows.addUser(user);
      const agentId = wish.argv ? await rows.addAgent(wish.argv, wish.promptVia ?? "stdin") : "shell";
      const taskId = await rows.addTask(project, prompt);
      return engine.enqueue(newSession(taskId, project, user, agentId));
    },
    retry: async (engine: Engine, sessionId: string) => {
      const [before] = await sql`select task_id, project_id, user_id, agent_id from sessions where id = ${sessionId}`;
      return engine.enqueue(newSession(before?.taskId, before?.projectId, before?.userId, before?.agentId));
    },
    /** The agent's process, once it is up. */
    agentPid: (sessionId: string) =>
      waitFor(
        async () => {
          const { attempt } = await rows.session(sessionId);
          const probe = await runner.probe({ sessionId, attempt });
          return probe.kind === "present" ? probe.agentPid : null;
        },
        `the agent of ${sessionId}`,
        PATIENCE_MS,
      ),
    async output(sessionId: string): Promise<string> {
      const { attempt } = await rows.session(sessionId);
      return Buffer.from((await runner.read({ sessionId, attempt }, 0, 50_000_000)).bytes).toString();
    },
    until: (sessionId: string, isSo: (row: SessionRow) => boolean, what: string, timeoutMs = PATIENCE_MS) =>
      waitFor(
        async () => {
          const row = await rows.session(sessionId);
          return isSo(row) ? row : null;
        },
        `session ${sessionId}: ${what}`,
        timeoutMs,
      ),
    git: async (projectId: string, ...args: string[]) => {
      const [row] = await sql`select path from projects where id = ${projectId}`;
      return runGit(row?.path, ...args);
    },
    readFile: (path: string) => readFile(path, "utf8").catch(() => ""),
    /** Nobody reaches it until the returned function is called. */
    takeDatabaseAway: () => takeAway(database.url),
    /** Living processes whose working directory lies in this folder. */
    processesIn: (path: string) => processesIn(path),
    async cleanUp() {
      await Promise.all(engines.map((engine) => engine.kill()));
      await endRuns(runner);
      await sql.end();
      await Promise.all([database.drop(), host.remove()]);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
  return world;
}

/** A zombie is dead. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}

function newSession(taskId: string, projectId: string, userId: string, agentId: string): NewSession {
  return { taskId, projectId, userId, agentId, mode: "work", message: null };
}

async function startEngine(program: string, settings: EngineSettings, environment: NodeJS.ProcessEnv): Promise<Engine> {
  const child = fork(program, [JSON.stringify(settings)], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const open = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let calls = 0;
  let complaints = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    complaints = `${complaints}${bytes}`.slice(-4_000);
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const awaitAnswer = (id: number) =>
    new Promise<never>((resolve, reject) => {
      open.set(id, { resolve, reject });
      void exited.then(() => reject(new Error(`The engine ended. ${complaints}`)));
    });
  child.on("message", ({ id, answer, error }: { id: number; answer: never; error?: string }) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
  });
  const ask = (verb: keyof EngineVerbs, ...args: readonly unknown[]): Promise<never> => {
    const id = ++calls;
    const answer = awaitAnswer(id);
    // Whether it arrives is seen by the answer; a dead engine rejects that one.
    child.send({ id, verb, args } satisfies EngineCall, () => {});
    return answer;
  };
  await awaitAnswer(0);
  return {
    enqueue: (session) => ask("enqueue", session),
    cancel: (sessionId, by) => ask("cancel", sessionId, by),
    setCaps: (change) => ask("setCaps", change),
    live: () => ask("live"),
    counts: (userId) => ask("counts", userId),
    ...endingOf(child, exited),
  };
}

function endingOf(child: ChildProcess, exited: Promise<number | null>): Pick<Engine, "kill" | "stop"> {
  return {
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

async function bundleEngine(folder: string): Promise<string> {
  const outfile = join(folder, "engine.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("engine-process.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return outfile;
}

async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^[0-9]+$/.test(name)) continue;
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => "");
    if (cwd.startsWith(`${folder}/`)) found.push(Number(name));
  }
  return found;
}

async function endRuns(runner: Runner): Promise<void> {
  for (const run of await runner.list()) {
    await runner.giveUp(run);
    await waitFor(async () => {
      const { kind } = await runner.probe(run);
      if (kind === "present" || kind === "orphaned") await runner.endTree(run);
      return kind !== "present" && kind !== "orphaned";
    }, `run ${run.sessionId} to be over`);
  }
}
