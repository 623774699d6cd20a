/**
 * The files of the embedded cluster, all under one folder: `data` (the cluster), `port`, `password`, `log`.
 * The cluster is made in `data.init` and renamed, so a `data` that exists is a whole one.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { StartRefused } from "../ports/start-refused";
import { freePort, isPortFree } from "../system/free-port";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries";
import { choosePostgresIdentity, commandAs, type PostgresIdentity } from "./postgres-identity";

export interface PostgresCluster {
  home: string;
  data: string;
  logFile: string;
  password: string;
  binaries: PostgresBinaries;
  identity: PostgresIdentity;
}

export const POSTGRES_USER = "camelot";
const POSTGRES_MAJOR = "18";

/** Finds the cluster below `dataDir`, or makes it. Nothing runs afterwards. */
export async function prepareCluster(dataDir: string, durable: boolean): Promise<PostgresCluster> {
  const home = path.join(dataDir, "postgres");
  const data = path.join(home, "data");
  const binaries = await findPostgresBinaries();
  const identity = choosePostgresIdentity(home, data, binaries.postgres);
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  const password = readOrMakePassword(path.join(home, "password"), identity);
  const cluster = { home, data, logFile: path.join(home, "log"), password, binaries, identity };
  if (fs.existsSync(data)) checkVersion(data);
  else await initialise(cluster, durable);
  return cluster;
}

/** The port kept from the last start, so that open pools find the database again; another one if it is taken. */
export async function choosePort(cluster: PostgresCluster): Promise<number> {
  const file = path.join(cluster.home, "port");
  const kept = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0;
  if (kept > 0 && (await isPortFree(kept))) return kept;
  const port = await freePort().catch(() => null);
  if (port === null) throw new StartRefused("There is no free port on 127.0.0.1 for the database.");
  fs.writeFileSync(file, String(port));
  return port;
}

/** PostgreSQL gets no variable of ours: PG* ones would change its settings, secrets are none of its business. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: "C" };
}

function readOrMakePassword(file: string, identity: PostgresIdentity): string {
  if (!fs.existsSync(file)) {
    fs.writeFileSync(`${file}.new`, randomBytes(24).toString("hex"), { mode: 0o600 });
    if (identity.kind === "user") fs.chownSync(`${file}.new`, identity.uid, identity.gid);
    fs.renameSync(`${file}.new`, file);
  }
  return fs.readFileSync(file, "utf8").trim();
}

function checkVersion(data: string): void {
  const major = fs.readFileSync(path.join(data, "PG_VERSION"), "utf8").trim();
  if (major === POSTGRES_MAJOR) return;
  throw new StartRefused(
    `The database in ${data} is one of PostgreSQL ${major}, but this version of Camelot brings PostgreSQL ${POSTGRES_MAJOR}.`,
  );
}

async function initialise(cluster: PostgresCluster, durable: boolean): Promise<void> {
  const half = `${cluster.data}.init`;
  fs.rmSync(half, { recursive: true, force: true });
  const args = ["-D", half, "-U", POSTGRES_USER, "-E", "UTF8", "--auth=scram-sha-256"];
  args.push(`--pwfile=${path.join(cluster.home, "password")}`, "--locale=C");
  args.push("--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  if (!durable) args.push("--no-sync");
  const complaint = await run(cluster, args);
  if (complaint !== null) {
    throw new StartRefused(
      `The embedded PostgreSQL could not make its database (${complaint}): free what it needs, or set DATABASE_URL.`,
    );
  }
  fs.renameSync(half, cluster.data);
}

/** Null when initdb went well, else the most telling line of what it said. */
function run(cluster: PostgresCluster, args: string[]): Promise<string | null> {
  const { file, args: all, options } = commandAs(cluster.identity, cluster.binaries.initdb, args);
  return new Promise((resolve) => {
    const child = spawn(file, all, { ...options, stdio: ["ignore", "ignore", "pipe"], env: postgresEnvironment() });
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-4000);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => {
      const lines = said.split("\n").filter((line) => line.trim() !== "");
      const telling = lines.find((line) => /error|fatal|cannot|could not/i.test(line)) ?? lines.at(-1);
      resolve(code === 0 ? null : (telling?.trim() ?? `initdb ended with ${code}`));
    });
  });
}
