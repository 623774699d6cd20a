/**
 * Where a run takes place: a folder of its own with the data directory, a real server with its embedded Postgres, people who
 * signed up, a sample project, caps that differ between people. Whatever is started here is ended by `close`.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stopPostmaster } from "../server/db/postmaster";
import { freePort } from "../server/system/free-port";
import { type Client, createClient } from "./client";
import type { Caps } from "./evidence";
import { Keeper, type ServerProgram } from "./keeper";
import { databaseUrlOf, postmasterOf, processesOfRuns } from "./runs";
import { callWitness, type Witness } from "./witness";

const GLOBAL_MAX = 6;
const PER_USER_MAX = 2;
/** Own caps of the first people; the others have the general one. */
const OWN_CAPS = [3, 1];
const PEOPLE = 5;
const SERVED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 25;

export interface Person {
  readonly number: number;
  readonly id: string;
  readonly cookie: string;
}

export interface World {
  readonly folder: string;
  readonly dataDir: string;
  readonly marksFile: string;
  /** Agents that wait for it go on once it exists. */
  readonly gate: string;
  /** The one with the embedded Postgres. */
  readonly server: Keeper;
  /** Another one on the same database and data directory, while it is asked to join. */
  readonly second: Keeper;
  readonly client: Client;
  readonly witness: Witness;
  readonly people: readonly Person[];
  readonly projectId: string;
  readonly caps: Caps;
  /** Resolves when the second server serves; from then on people ask both of them. */
  joinSecond(): Promise<void>;
  /** `SIGTERM`: it leaves in order, as at a deploy. */
  endSecond(how: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** How many agents have marked their end. */
  endings(): number;
  /** Of both servers. */
  starts(): number;
  ownEndings(): (number | null)[];
  close(options: { readonly keepsFolder: boolean }): Promise<void>;
}

export async function openWorld(program: ServerProgram, signal: AbortSignal): Promise<World> {
  refuseWhereBlind();
  const folder = mkdtempSync(path.join(tmpdir(), "camelot-chaos-"));
  // Passable: the embedded database may run as another user.
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, "data");
  mkdirSync(dataDir, { mode: 0o711 });
  const marksFile = path.join(folder, "marks");
  writeFileSync(marksFile, "");
  const environment = { ...program.environment, CAMELOT_DATA_DIR: dataDir, LOG_LEVEL: "info" };
  const caps = { GLOBAL_MAX: String(GLOBAL_MAX), PER_USER_MAX: String(PER_USER_MAX) };
  const launch = { ...program, environment: { ...environment, ...caps } };
  const log = path.join(folder, "server.log");
  const server = new Keeper(launch, await freePort(), log);
  const secondPort = await freePort();
  let second: Keeper | null = null;
  const servers = () => (second ? [server, second] : [server]);
  const lastMoment = () => endNow(servers(), dataDir);
  process.once("exit", lastMoment);
  let witness: Witness | null = null;
  const close: World["close"] = async ({ keepsFolder }) => {
    await witness?.close().catch(() => undefined);
    await second?.stop();
    await server.stop();
    await stopPostmaster(path.join(dataDir, "postgres", "data"));
    for (const pid of processesOfRuns(dataDir)) killQuietly(pid);
    process.removeListener("exit", lastMoment);
    if (!keepsFolder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    server.start();
    await served(server, signal);
    const databaseUrl = databaseUrlOf(dataDir);
    witness = await callWitness(databaseUrl);
    const beside = { ...launch, environment: { ...launch.environment, DATABASE_URL: databaseUrl } };
    const joining = new Keeper(beside, secondPort, log);
    second = joining;
    const open = [server];
    let turn = 0;
    const client = createClient(() => (open[turn++ % open.length] ?? server).url, signal);
    const people = await inviteFriends(client);
    const places = { folder, dataDir, marksFile, gate: path.join(folder, "gate") };
    const projectId = await prepare(client, people);
    const users = new Map(people.map(({ id, number }) => [id, OWN_CAPS[number] ?? PER_USER_MAX]));
    return {
      ...places,
      server,
      second: joining,
      client,
      witness,
      people,
      projectId,
      caps: { globalMax: GLOBAL_MAX, users },
      async joinSecond() {
        joining.start();
        await served(joining, signal);
        open.push(joining);
      },
      async endSecond(how) {
        open.pop();
        await joining.stop(how);
      },
      starts: () => server.starts + joining.starts,
      ownEndings: () => [...server.ownEndings, ...joining.ownEndings],
      endings: () => readFileSync(marksFile, "utf8").split("\nend ").length - 1,
      close,
    };
  } catch (error) {
    await close({ keepsFolder: false });
    throw error;
  }
}

/** Who runs is read from /proc, and when agents acted from bash's own clock. */
function refuseWhereBlind(): void {
  const { stdout } = spawnSync("bash", ["-c", "echo $EPOCHREALTIME"], { encoding: "utf8" });
  if (process.platform !== "linux" || !/^\d/.test(stdout ?? ""))
    throw new Error("Chaos needs Linux and bash 5 or newer.");
}

async function inviteFriends(client: Client): Promise<Person[]> {
  const people: Person[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const cookie = await client.signUp(`person-${number}`);
    const { id } = await client.json<{ id: string }>(cookie, "GET", "/api/v1/me");
    people.push({ number, id, cookie });
  }
  return people;
}

/** The first person is the administrator. */
async function prepare(client: Client, people: readonly Person[]): Promise<string> {
  const cookie = people[0]?.cookie ?? "";
  const sample = { name: "Chaos", repository: "sample" };
  const project = await client.json<{ id: string }>(cookie, "POST", "/api/v1/projects", sample);
  for (const { id } of people.slice(1))
    await client.json(cookie, "PUT", `/api/v1/projects/${project.id}/members/${id}`, { role: "member" });
  for (const [number, max] of OWN_CAPS.entries())
    await client.json(cookie, "PUT", `/api/v1/pool/users/${people[number]?.id}`, { max });
  return project.id;
}

async function served(server: Keeper, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + SERVED_WITHIN_MS;
  while (!(await server.isReady())) {
    if (performance.now() > deadline)
      throw new Error(`The server is not ready (it ended ${server.ownEndings.length} times by itself).`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Our own process ends before `close` could: nobody stays behind. */
function endNow(servers: readonly Keeper[], dataDir: string): void {
  for (const server of servers) server.stopNow();
  const postmaster = postmasterOf(dataDir);
  for (const pid of [...(postmaster ? [postmaster] : []), ...processesOfRuns(dataDir)]) killQuietly(pid);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself between the look and the signal.
  }
}
