/**
 * As whom PostgreSQL runs. It refuses to run as root, so root needs a way round: a user namespace in which root is called
 * `nobody` (the files stay root's), or else another user of the machine. A cluster made in one way cannot be opened in
 * the other, so once it exists its owner decides. Never changes the owner of anything that is there already.
 */
import { type SpawnOptions, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { StartRefused } from "../ports/start-refused";

export type PostgresIdentity =
  | { kind: "self" }
  | { kind: "namespace" }
  | { kind: "user"; name: string; uid: number; gid: number };

interface Command {
  file: string;
  args: string[];
  options: Pick<SpawnOptions, "uid" | "gid">;
}

const NAMESPACE = ["--user", "--map-user=65534", "--map-group=65534"];
const STAND_INS = ["postgres", "nobody"];

/** `home` is the folder that holds the cluster; `cluster` the cluster itself, which may not exist yet. */
export function choosePostgresIdentity(home: string, cluster: string, postgres: string): PostgresIdentity {
  const self = process.getuid?.();
  const owner = fs.statSync(cluster, { throwIfNoEntry: false });
  if (self === undefined) return { kind: "self" };
  if (self !== 0) {
    if (!owner || owner.uid === self) return { kind: "self" };
    throw new StartRefused(
      `The database in ${cluster} belongs to another user: start as that user, or set another CAMELOT_DATA_DIR.`,
    );
  }
  if (owner && owner.uid !== 0) return { kind: "user", name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  if (hasUserNamespaces()) return { kind: "namespace" };
  if (owner) {
    throw new StartRefused(
      `The database in ${cluster} belongs to root and user namespaces are not allowed here: set DATABASE_URL, or another CAMELOT_DATA_DIR.`,
    );
  }
  return standIn(home, postgres);
}

/** The command that runs a PostgreSQL program with that identity; the pid of the child is that of the program. */
export function commandAs(identity: PostgresIdentity, program: string, args: string[]): Command {
  if (identity.kind === "namespace") return { file: "unshare", args: [...NAMESPACE, program, ...args], options: {} };
  if (identity.kind === "user") return { file: program, args, options: { uid: identity.uid, gid: identity.gid } };
  return { file: program, args, options: {} };
}

function hasUserNamespaces(): boolean {
  return process.platform === "linux" && spawnSync("unshare", [...NAMESPACE, "true"]).status === 0;
}

function standIn(home: string, postgres: string): PostgresIdentity {
  const user = STAND_INS.map(findUser).find((found) => found !== null);
  if (user) {
    fs.mkdirSync(home, { recursive: true, mode: 0o700 });
    fs.chownSync(home, user.uid, user.gid);
    // The stand-in passes through the data directory without reading it.
    fs.chmodSync(path.dirname(home), 0o711);
    const as = { uid: user.uid, gid: user.gid };
    const runs = spawnSync(postgres, ["--version"], as).status === 0;
    const enters = spawnSync("test", ["-w", home], as).status === 0;
    if (runs && enters) return { kind: "user", ...user };
  }
  throw new StartRefused(
    "PostgreSQL does not run as root, and neither a user namespace nor another user can be used here: start as a plain user, or set DATABASE_URL.",
  );
}

function findUser(name: string): { name: string; uid: number; gid: number } | null {
  const line = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((candidate) => candidate.startsWith(`${name}:`));
  if (!line) return null;
  const [, , uid, gid] = line.split(":");
  return { name, uid: Number(uid), gid: Number(gid) };
}
