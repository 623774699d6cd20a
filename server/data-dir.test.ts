import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataDir, openDataDir, readOrMakeId, readOrMakeSecret } from "./data-dir";
import { StartRefused } from "./ports/start-refused";

const MODULE = path.join(import.meta.dirname, "data-dir.ts");

let folder: string;
let dataDir: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-data-"));
  dataDir = path.join(folder, "data");
  openDataDir(dataDir);
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Another process that takes the lock and keeps it; resolves with what it says first. */
async function otherServer(): Promise<{ child: ChildProcess; said: string }> {
  const script = `import { lockDataDir } from ${JSON.stringify(MODULE)};
    lockDataDir(process.argv[1]).then(() => { console.log("held"); setInterval(() => {}, 1000); }, (e) => console.log(e.message));`;
  const args = ["--import", "tsx", "--input-type=module", "-e", script, dataDir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const said = await new Promise<string>((resolve) => child.stdout?.once("data", (chunk) => resolve(String(chunk))));
  return { child, said: said.trim() };
}

async function killed(child: ChildProcess): Promise<void> {
  const over = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  await over;
}

test("a second server on the same data directory is refused in one sentence that names the first", async () => {
  const { child, said } = await otherServer();
  expect(said).toBe("held");
  await expect(lockDataDir(dataDir)).rejects.toThrow(
    `Camelot already runs on ${dataDir} (process ${child.pid}). End it first with "kill ${child.pid}" (its agents go on), or set another CAMELOT_DATA_DIR.`,
  );
});

test("[R4] the lock of a killed server is void, also when its pid belongs to somebody else by now", async () => {
  const { child } = await otherServer();
  await killed(child);
  const lock = await lockDataDir(dataDir);
  lock.release();

  const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
  children.push(stranger);
  const servers = path.join(dataDir, "servers");
  fs.writeFileSync(path.join(servers, `${stranger.pid}.claim`), "12345 of-an-earlier-boot");
  fs.writeFileSync(path.join(servers, `${stranger.pid}.held`), "");
  const again = await lockDataDir(dataDir);
  expect(fs.readdirSync(servers).sort()).toEqual([`${process.pid}.claim`, `${process.pid}.held`]);
  again.release();
  expect(fs.readdirSync(servers)).toEqual([]);
});

test("of five servers that start together exactly one gets the lock", async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, otherServer));
  expect(answers.filter(({ said }) => said === "held")).toHaveLength(1);
  expect(answers.filter(({ said }) => said.startsWith("Camelot already runs on"))).toHaveLength(4);
});

test("the secret is made once, readable by its owner only, and kept", () => {
  const first = readOrMakeSecret(dataDir);
  expect(first.isNew).toBe(true);
  expect(first.secret.length).toBeGreaterThanOrEqual(32);
  expect(fs.statSync(path.join(dataDir, "secret")).mode & 0o777).toBe(0o600);
  expect(readOrMakeSecret(dataDir)).toEqual({ secret: first.secret, isNew: false });
});

test("[P19] a data directory has an id, which it keeps when it moves", () => {
  const id = readOrMakeId(dataDir);
  const moved = path.join(folder, "moved");
  fs.renameSync(dataDir, moved);
  expect(readOrMakeId(moved)).toBe(id);
  openDataDir(dataDir);
  expect(readOrMakeId(dataDir)).not.toBe(id);
});

test("[R5] a data directory that cannot be one is refused in one sentence, at once", () => {
  const file = path.join(folder, "file");
  const [dangling, circle] = [path.join(folder, "dangling"), path.join(folder, "circle")];
  fs.writeFileSync(file, "");
  fs.symlinkSync(path.join(folder, "nowhere"), dangling);
  fs.symlinkSync(circle, circle);
  const refusal = (dir: string, why: string) =>
    expect(() => openDataDir(dir)).toThrow(new StartRefused(`The data directory ${dir} cannot be used: ${why}.`));
  for (const dir of [file, path.join(file, "below", "it"), dangling, "/dev/full", "/dev/full/below"])
    refusal(dir, "it is not a folder");
  refusal(circle, "its path is a circle of links");
  refusal(path.join(folder, "x".repeat(300)), "its path is too long");
});

test.runIf(process.platform === "linux")(
  "[R5] nor is one where the system allows no folders: refused, and no hang",
  () => {
    for (const dir of ["/proc", "/proc/x", "/proc/x/y", "/proc/self/fd/x", "/sys", "/sys/x/y"]) {
      expect(() => openDataDir(dir)).toThrow(
        /cannot be used: (folders cannot be made there|the user who .*|that disk .*)\.$/,
      );
    }
  },
);

test("[R5] nor one this user may not write to", () => {
  fs.chmodSync(dataDir, 0o500);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    fs.chmodSync(folder, 0o755);
    process.seteuid?.(65_534);
  }
  try {
    for (const dir of [dataDir, path.join(dataDir, "below", "it")])
      expect(() => openDataDir(dir)).toThrow("the user who starts Camelot may not write there.");
  } finally {
    if (isRoot) process.seteuid?.(0);
    fs.chmodSync(dataDir, 0o700);
  }
});

test("[R5] one that does not exist is made with all above it, for its owner only; a link to a folder will do", () => {
  const deep = path.join(folder, "a", "b", "c");
  openDataDir(deep);
  expect(fs.statSync(deep).mode & 0o777).toBe(0o700);
  const link = path.join(folder, "link");
  fs.symlinkSync(deep, link);
  openDataDir(path.join(link, "d"));
  expect(fs.readdirSync(deep)).toEqual(["d"]);
  expect(fs.readdirSync(path.join(deep, "d"))).toEqual([]);
});
