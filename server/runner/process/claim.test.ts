import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { bootId, identify } from "../../system/process-identity";
import { untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { claim, readClaim } from "../host/claim";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { spawnHost } from "./spawn-host";

let harness: ProcessHarness;
let hostBundle: string;
withProcessHarness((fresh, bundle) => {
  harness = fresh;
  hostBundle = bundle;
});

it("[R2] of many claimants at once exactly one has the claim, and it says who", async () => {
  const folder = await mkdtemp(join(tmpdir(), "camelot-claim-"));
  const self = { pid: process.pid, start: "1", bootId: bootId() };
  for (let round = 0; round < 50; round++) {
    const run = join(folder, String(round));
    await mkdir(run);
    const claimants = Array.from({ length: 6 }, (_, index) => ({ ...self, pid: 100 + index }));
    const won = await Promise.all(claimants.map((owner) => claim(run, "host", owner)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await readClaim(run))?.owner.pid).toBe(100 + won.indexOf(true));
    expect(readdirSync(run)).toEqual(["claim"]);
  }
  await rm(folder, { recursive: true });
});

it("[R2][QUE-2] of hosts and server racing for an attempt, 50 rounds, either one agent ran or none ever does", async () => {
  // As long as a host needs to its claim on this machine now, so that the server comes before it about as often as after.
  const began = performance.now();
  await untilWorking(harness.runner, await harness.begin("sleep 600"));
  const untilClaimMs = performance.now() - began;
  const round = async (index: number) => {
    const proof = join(harness.dataDir, `acted-${index}`);
    const order = await harness.begin(`echo acted >> '${proof}'`);
    const folder = harness.folderOf(order);
    // A second host for the same attempt, as a server starts it that crashed in between.
    const second = index % 2 === 0 ? spawnHost(hostBundle, folder) : Promise.resolve(0);
    await sleep(Math.random() * 3 * untilClaimMs);
    const isGivenUp = await harness.runner.giveUp(order);
    const secondPid = await second;
    if (isGivenUp) {
      await waitFor(() => hostsOf(folder).length === 0, "the hosts to withdraw");
      expect(existsSync(proof)).toBe(false);
      expect(await harness.runner.probe(order)).toEqual({ kind: "unclaimed", hostPid: null });
    } else {
      await untilProbe(harness.runner, order, "exited");
      await waitFor(() => secondPid === 0 || identify(secondPid) === null, "the second host to withdraw");
      expect(readFileSync(proof, "utf8")).toBe("acted\n");
    }
    return isGivenUp;
  };
  const outcomes: boolean[] = [];
  for (let from = 0; from < 50; from += 5) {
    outcomes.push(...(await Promise.all([0, 1, 2, 3, 4].map((index) => round(from + index)))));
  }
  expect(outcomes).toHaveLength(50);
}, 90_000);

it("[R2] a host without an order, or with an attempt that is given up, starts nothing and leaves no claim of its own", async () => {
  const order = await harness.begin("true");
  await untilProbe(harness.runner, order, "exited");
  const before = readdirSync(harness.folderOf(order)).sort();
  const pid = await spawnHost(hostBundle, harness.folderOf(order));
  await waitFor(() => identify(pid) === null, "the late host to leave");
  expect(readdirSync(harness.folderOf(order)).sort()).toEqual(before);
});

it("[R3] a claim that cannot be read is unknown: wait, and keep the slot", async () => {
  const order = await harness.begin("true");
  await untilProbe(harness.runner, order, "exited");
  const folder = harness.folderOf(order);
  await rm(join(folder, "ending.json"));
  await writeFile(join(folder, "claim", "owner.json"), "{torn");
  expect((await harness.runner.probe(order)).kind).toBe("unknown");
  await rm(folder, { recursive: true });
});

it("[R13] an ending of a release that is not spoken is unknown; fields that are not known are ignored", async () => {
  const order = await harness.begin("true");
  const { ending } = await untilProbe(harness.runner, order, "exited");
  const path = join(harness.folderOf(order), "ending.json");
  const stored = JSON.parse(readFileSync(path, "utf8"));
  expect(stored.version).toBe(2);
  await writeFile(path, JSON.stringify({ ...stored, mood: "fine" }));
  expect(await harness.runner.probe(order)).toEqual({ kind: "exited", ending });
  await writeFile(path, JSON.stringify({ ...stored, version: 99 }));
  expect((await harness.runner.probe(order)).kind).toBe("unknown");
  await writeFile(path, JSON.stringify(stored));
});

it("[R4] after a reboot, or when its pid went to somebody else, a host is gone", async () => {
  const order = await harness.begin("sleep 600");
  await untilWorking(harness.runner, order);
  const owner = join(harness.folderOf(order), "claim", "owner.json");
  const stored = readFileSync(owner, "utf8");
  const fields = JSON.parse(stored);
  for (const change of [{ bootId: "of-an-earlier-boot" }, { start: "1" }]) {
    await writeFile(owner, JSON.stringify({ ...fields, ...change }));
    expect((await harness.runner.probe(order)).kind).toBe("orphaned");
  }
  await writeFile(owner, stored);
  expect((await harness.runner.probe(order)).kind).toBe("present");
});

it("[A1] once a host has claimed, neither prompt nor variables nor secrets stay in the run folder", async () => {
  const changes = { environment: { TOKEN: "very-secret-value" }, secrets: ["very-secret-value"] };
  const order = await harness.begin("cat; echo $TOKEN; sleep 600", changes, "the prompt text");
  await untilWorking(harness.runner, order);
  await waitFor(async () => (await harness.runner.read(order, 0, 100)).next > 15, "the output");
  const folder = harness.folderOf(order);
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text).not.toContain("very-secret-value");
    expect(text).not.toContain("the prompt text");
  }
  expect(readFileSync(join(folder, "journal.head"), "utf8")).toBe("the prompt text***\n");
});

/** Pids of hosts that have this run folder as their argument. */
function hostsOf(folder: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false;
    }
  });
}
