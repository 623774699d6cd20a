import { spawn } from "node:child_process";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holderOf, selfAsHolder } from "../../system/holder";
import { makeTestFolder } from "../../testing/git-repositories";
import { waitFor } from "../../testing/wait-for";
import { Turns } from "./turns";

/** Shorter than in life, long enough for a busy machine. */
const SILENT_MS = 1_000;

let folder = "";
let remove: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await makeTestFolder());
});
afterEach(() => remove());

const tick = () => new Promise((resolve) => setImmediate(resolve));

test("[W1] turns on one git directory never overlap, even from two workspaces on one data directory", async () => {
  const first = new Turns(folder);
  const second = new Turns(folder);
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await tick();
    inside--;
  };
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).onGitDirectory("/repo/.git", work)),
  );
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test("[W1] different git directories do not wait for each other", async () => {
  const turns = new Turns(folder);
  const held: (() => void)[] = [];
  const first = turns.onGitDirectory("/a/.git", () => new Promise<void>((resolve) => held.push(resolve)));
  await waitFor(() => held.length === 1, "the first to have its turn");
  expect(await turns.onGitDirectory("/b/.git", async () => "done")).toBe("done");
  held[0]?.();
  await first;
});

test("[W1] work that throws gives its turn back", async () => {
  const turns = new Turns(folder);
  await expect(turns.onGitDirectory("/a/.git", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.onGitDirectory("/a/.git", async () => "next")).toBe("next");
});

test("[W3][R4] the lock of a process that is over is taken, that of a living one is respected", async () => {
  const turns = new Turns(folder);
  await turns.onGitDirectory("/a/.git", async () => undefined);
  const sleeper = spawn("sleep", ["600"]);
  const lock = await nameOfLock(turns);
  await symlink(`${holderOf(sleeper.pid ?? 0)} other-server`, lock);
  const stop = new AbortController();
  const waiting = turns
    .onGitDirectory("/a/.git", async () => "never", stop.signal)
    .catch((error: Error) => error.message);
  await tick();
  stop.abort(new Error("gave up"));
  expect(await waiting).toBe("gave up");
  const over = new Promise((resolve) => sleeper.once("exit", resolve));
  sleeper.kill("SIGKILL");
  await over;
  expect(await turns.onGitDirectory("/a/.git", async () => "mine")).toBe("mine");
  expect(await readdir(folder)).toEqual([]);
});

test("[P19][W1] a holder that lives but gives no sign, because it is frozen, loses its turn; one that works long does not", async () => {
  const turns = new Turns(folder, SILENT_MS);
  const lock = await nameOfLock(turns);
  const frozen = spawn("sleep", ["600"]);
  frozen.kill("SIGSTOP");
  await symlink(`${holderOf(frozen.pid ?? 0)} other-server`, lock);
  expect(await turns.onGitDirectory("/a/.git", async () => "mine")).toBe("mine");
  frozen.kill("SIGKILL");

  // In two workspaces on one data directory, as two servers have them.
  const others = new Turns(folder, SILENT_MS);
  let isWorking = false;
  const long = turns.onGitDirectory("/a/.git", async () => {
    isWorking = true;
    await new Promise((resolve) => setTimeout(resolve, 2 * SILENT_MS));
    isWorking = false;
  });
  await vi.waitFor(() => expect(isWorking).toBe(true));
  expect(await others.onGitDirectory("/a/.git", async () => isWorking)).toBe(false);
  await long;
});

test("[R4] the same pid with another start time is another process", async () => {
  const turns = new Turns(folder);
  const lock = await nameOfLock(turns);
  await mkdir(folder, { recursive: true });
  const [place, pid] = selfAsHolder().split(" ");
  await symlink(`${place} ${pid} 1 x`, lock);
  expect(await turns.onGitDirectory("/a/.git", async () => "mine")).toBe("mine");
});

/** Where the lock of /a/.git lies: looked at while it is held. */
async function nameOfLock(turns: Turns): Promise<string> {
  const [name = ""] = await turns.onGitDirectory("/a/.git", () => readdir(folder));
  return join(folder, name);
}
