import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartRefused } from "../ports/start-refused";
import { startEmbeddedPostgres } from "./embedded-postgres";
import { findPostgresBinaries } from "./postgres-binaries";
import { choosePostgresIdentity, commandAs } from "./postgres-identity";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

let home: string;
let cluster: string;
const path0 = process.env.PATH;

beforeEach(() => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-identity-"));
  fs.chmodSync(folder, 0o755);
  home = path.join(folder, "postgres");
  cluster = path.join(home, "data");
});

afterEach(() => {
  process.env.PATH = path0;
  fs.rmSync(path.dirname(home), { recursive: true, force: true });
});

async function choose() {
  return choosePostgresIdentity(home, cluster, (await findPostgresBinaries()).postgres);
}

test("a plain user runs it as itself, root never as root", async () => {
  const identity = await choose();
  if (isRoot) expect(identity.kind).not.toBe("self");
  else expect(identity).toEqual({ kind: "self" });
});

test("the owner of an existing cluster decides how root opens it; a plain user opens only its own", async () => {
  fs.mkdirSync(cluster, { recursive: true });
  if (isRoot) {
    fs.chownSync(cluster, NOBODY, NOBODY);
    expect(await choose()).toEqual({ kind: "user", name: `user ${NOBODY}`, uid: NOBODY, gid: NOBODY });
  } else {
    expect(await choose()).toEqual({ kind: "self" });
    // The root folder stands for a cluster of somebody else.
    const { postgres } = await findPostgresBinaries();
    expect(() => choosePostgresIdentity(home, "/", postgres)).toThrow(/belongs to another user/);
  }
});

test("where user namespaces are blocked, root uses another user or says in one sentence that it cannot", async () => {
  hideUnshare();
  const log = { info: () => {}, warn: () => {} };
  const options = { dataDir: path.dirname(home), log, extraSettings: { fsync: "off", shared_buffers: "16MB" } };
  const outcome = await startEmbeddedPostgres(options).catch((error: unknown) => error);
  if (outcome instanceof StartRefused) {
    // Right when the checkout lies below a folder only root may enter.
    expect(outcome.message).toMatch(/start as a plain user, or set DATABASE_URL\.$/);
    expect(isRoot).toBe(true);
    return;
  }
  const database = outcome as Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  await database.stop();
  const owner = fs.statSync(cluster).uid;
  if (isRoot) expect(owner).not.toBe(0);
  else expect(owner).toBe(process.getuid?.());
});

test("in a namespace the program is the child itself, so its pid is the one that is watched", () => {
  const { file, args } = commandAs({ kind: "namespace" }, "/pg/bin/postgres", ["-D", "x"]);
  expect(file).toBe("unshare");
  expect(args.slice(-3)).toEqual(["/pg/bin/postgres", "-D", "x"]);
  expect(args).not.toContain("--fork");
});

/** A PATH that has `test`, which finds out whether the other user gets in, and nothing else. */
function hideUnshare(): void {
  const bin = path.join(path.dirname(home), "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync("/usr/bin/test", path.join(bin, "test"));
  process.env.PATH = bin;
}
