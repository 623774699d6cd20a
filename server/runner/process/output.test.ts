/** R6 with real agents: what is stored is exactly what was written, however it was written. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { orderFor, readToEnd, untilProbe, untilWorking } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { type ProcessHarness, withProcessHarness } from "./process-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

const node = (script: string) => [process.execPath, "-e", script];

it("[R6][LOG-1] keeps NUL bytes, at both ends and in the middle, and everything after them", async () => {
  const order = await harness.begin(String.raw`
    printf '\000line 1\n'; printf 'line 2 \000 middle\n'; printf '{"text":"\\u0000"}\n'
    head -c 200000 /dev/zero; printf '\nplain\n'; printf 'on stderr \000\n' >&2; printf 'last\000'`);
  const expected = Buffer.concat([
    Buffer.from('\0line 1\nline 2 \0 middle\n{"text":"\\u0000"}\n'),
    Buffer.alloc(200_000),
    Buffer.from("\nplain\non stderr \0\nlast\0"),
  ]);
  expect((await readToEnd(harness.runner, order, 4_096)).equals(expected)).toBe(true);
});

const ODD_TEXT = "A é ≤ 한 中 → ├─ 👩‍👩‍👧 🦁 Z\n";
/** Slow bytes, two long lines, then a character in three writes on stderr; `pause` stands before stderr. */
const splitCharacters = (pause: string) =>
  node(`
    const slow = Buffer.from(${JSON.stringify(ODD_TEXT)});
    let at = 0;
    const timer = setInterval(async () => {
      process.stdout.write(slow.subarray(at, ++at));
      if (at < slow.length) return;
      clearInterval(timer);
      process.stdout.write("x" + "한".repeat(70000) + "\\n");
      const last = new Promise((written) => process.stdout.write("xx" + "中".repeat(70000) + "\\n", written));
      ${pause}
      process.stderr.write(Buffer.from([0xe2]));
      setTimeout(() => process.stderr.write(Buffer.from([0x89])), 20);
      setTimeout(() => process.stderr.write(Buffer.concat([Buffer.from([0xa4]), Buffer.from(" done\\n")])), 40);
    }, 2);`);
const SPLIT_TEXT = `${ODD_TEXT}x${"한".repeat(70_000)}\nxx${"中".repeat(70_000)}\n≤ done\n`;

it("[R6][LOG-2] puts characters that the pipe cut in two together again", async () => {
  const order = await harness.begin(splitCharacters("await last;"));
  const output = await readToEnd(harness.runner, order, 65_536);
  expect(output.equals(Buffer.from(SPLIT_TEXT))).toBe(true);
});

it("[R6][LOG-2] an agent that does not wait for the pipe does not mix up its own output", async () => {
  // Where the pipe cannot be made wide, nothing is promised: there the agent has to wait.
  const canWiden = process.platform === "linux" && ["perl", "python3"].some((name) => !spawnSync(name, ["-V"]).error);
  const order = await harness.begin(splitCharacters(canWiden ? "" : "await last;"));
  const output = await readToEnd(harness.runner, order, 65_536);
  expect(output.equals(Buffer.from(SPLIT_TEXT))).toBe(true);
});

it("[R6] keeps bytes that are no UTF-8 at all", async () => {
  const order = await harness.begin(String.raw`printf '\377\376\303(\200'; printf '\200' >&2`);
  const output = await readToEnd(harness.runner, order);
  expect(output.equals(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80, 0x80]))).toBe(true);
});

it("[R6] stdout and stderr share one pipe: their order is the order of writing, also when they are opened by name", async () => {
  const script = `for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; echo name $i > /dev/stderr; echo also $i >> /dev/stdout
    done; [ -p /dev/stdout ] && [ -p /dev/stderr ] && echo pipes`;
  const order = await harness.begin(script);
  const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((i) => [`out ${i}`, `err ${i}`, `name ${i}`, `also ${i}`]);
  expect((await readToEnd(harness.runner, order)).toString()).toBe(`${[...lines, "pipes"].join("\n")}\n`);
});

it("[R6] the last lines of agents that die fast are there when their ending is", async () => {
  const rounds = Array.from({ length: 12 }, async (_, index) => {
    const order = await harness.begin(`seq 1 3000; echo last ${index}; kill -9 $$`);
    const { ending } = await untilProbe(harness.runner, order, "exited");
    expect(ending.signal).toBe("SIGKILL");
    const chunk = await harness.runner.read(order, 0, 1_000_000);
    expect(chunk).toMatchObject({ next: ending.outputBytes, complete: true });
    expect(Buffer.from(chunk.bytes).toString().endsWith(`2999\n3000\nlast ${index}\n`)).toBe(true);
  });
  await Promise.all(rounds);
});

it("[R6][LOG-3] of 60 MB at full speed the first 40 MB and the last 10 MB are kept, the hole is told, memory stays small", async () => {
  const line = (index: number) => `${String(index).padStart(8, "0")} ${"lorem ipsum ".repeat(20)}.\n`;
  const lineBytes = line(0).length;
  const order = await harness.begin(
    node(`
      const { once } = require("node:events");
      const line = (index) => String(index).padStart(8, "0") + " " + "lorem ipsum ".repeat(20) + ".\\n";
      (async () => {
        for (let index = 0; index * ${lineBytes} < 55e6; ) {
          let chunk = "";
          for (let k = 0; k < 200; k++) chunk += line(index++);
          if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
        }
        process.stdout.write("L".repeat(5e6) + " <- 5 MB without an end of line\\n");
        for (let k = 1; k <= 100; k++) process.stdout.write("LAST " + k + "\\n");
      })();`),
  );
  const { hostPid } = await waitFor(async () => {
    const probe = await harness.runner.probe(order);
    return probe.kind === "present" ? probe : null;
  }, "the host");
  let peakKb = 0;
  await waitFor(async () => {
    peakKb = Math.max(peakKb, peakMemoryKb(hostPid));
    return (await harness.runner.probe(order)).kind === "exited";
  }, "the agent to end");
  const { ending } = await untilProbe(harness.runner, order, "exited");
  const total = ending.outputBytes;
  expect(total).toBeGreaterThan(60_000_000);
  if (peakKb > 0) expect(peakKb).toBeLessThan(150_000);

  const head = await harness.runner.read(order, 39_999_000, 8_000_000);
  expect(head.next).toBe(40_000_000);
  expect(Buffer.from(head.bytes).toString()).toBe(linesBetween(line, lineBytes, 39_999_000, 40_000_000));
  const leftOut = total - 50_000_000;
  const marker = `\n[… ${leftOut} bytes left out …]\n`;
  const behind = await harness.runner.read(order, 40_000_000, 1_000_000);
  expect(Buffer.from(behind.bytes).subarray(0, Buffer.byteLength(marker)).toString()).toBe(marker);
  expect(behind.bytes.length).toBe(1_000_000 + Buffer.byteLength(marker));
  expect(behind.next).toBe(total - 10_000_000 + 1_000_000);
  expect(Buffer.from((await harness.runner.read(order, total - 9, 100)).bytes).toString()).toBe("LAST 100\n");
  const { end, hole } = await harness.runner.extent(order);
  expect([end, hole]).toEqual([total, { from: 40_000_000, to: total - 10_000_000 }]);
  const everything = await readToEnd(harness.runner, order, 8_000_000);
  expect(everything.length).toBe(50_000_000 + Buffer.byteLength(marker));
  const inside = await harness.runner.read(order, total - 10_000_500, 10);
  expect(Buffer.from(inside.bytes).toString()).toContain("[… 500 bytes left out …]\n");
  const stored = readdirSync(harness.folderOf(order)).filter((name) => name.startsWith("journal."));
  expect(stored.length).toBeLessThanOrEqual(13);
});

it("[R6] reading while it is written gives every byte once and in order", async () => {
  const order = await harness.begin(
    "for i in $(seq 1 4000); do echo LINE $i; [ $((i % 500)) = 0 ] && sleep 0.05; done; echo END",
  );
  const expected = `${Array.from({ length: 4_000 }, (_, index) => `LINE ${index + 1}`).join("\n")}\nEND\n`;
  const readers = [readToEnd(harness.runner, order, 777), readToEnd(harness.restarted(), order, 100_000)];
  for (const output of await Promise.all(readers)) expect(output.toString()).toBe(expected);
});

it("[A3] secrets are masked before they are stored, in every form, however the agent cuts them", async () => {
  const secret = "p/a+s s\"w'ord-1234";
  const pieces = ["<", secret.slice(0, 5), secret.slice(5), ">", JSON.stringify(secret), encodeURIComponent(secret)];
  const order = await harness.begin(
    node(`
      const pieces = ${JSON.stringify([...pieces, Buffer.from(secret).toString("base64"), "\np/a+s"])};
      const timer = setInterval(() => {
        process.stdout.write(pieces.shift());
        if (pieces.length === 0) clearInterval(timer);
      }, 15);`),
    { secrets: [secret, "short"] },
  );
  await untilProbe(harness.runner, order, "exited");
  expect((await readToEnd(harness.runner, order)).toString()).toBe('<***>"***"******\np/a+s');
  for (const name of readdirSync(harness.folderOf(order)).filter((name) => name.startsWith("journal."))) {
    expect(readFileSync(join(harness.folderOf(order), name), "utf8")).not.toContain(secret);
  }
});

it("[R6][A3] the last line of an agent that falls silent is whole, though its end might begin a secret in base64", async () => {
  const secret = "p/a+s s\"w'ord-1234";
  const first = Buffer.from(secret).toString("base64").charAt(0);
  const order = await harness.begin(`echo 'Tests failed: ${first}'; sleep 300`, { secrets: [secret] });
  const read = async () => Buffer.from((await harness.runner.read(order, 0, 1_000)).bytes).toString();
  await waitFor(async () => (await read()) === `Tests failed: ${first}\n`, "the whole line");
});

it("[R14] a host whose disk takes no more stops its agent and says so", async () => {
  const order = orderFor(harness, { argv: ["bash", "-c", "while :; do echo line; done"], stdin: null });
  const folder = harness.folderOf(order);
  await mkdir(folder, { recursive: true });
  symlinkSync("/dev/full", join(folder, "journal.head"));
  await harness.runner.start(order);
  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending).toMatchObject({ cause: "disk-full", outputBytes: 0 });
  expect(await harness.runner.read(order, 0, 100)).toMatchObject({ next: 0, complete: true });
});

it("[P20] a fast agent gives its watchers a few hints, not one for every line", async () => {
  const order = await harness.begin("timeout 2 yes 'a rather ordinary line of output'");
  await untilWorking(harness.runner, order);
  let hints = 0;
  const unwatch = harness.runner.watch(order, () => {
    hints += 1;
  });
  const began = performance.now();
  await readToEnd(harness.runner, order, 1_000_000);
  unwatch();
  expect(hints).toBeLessThan((performance.now() - began) / 40 + 5);
});

function linesBetween(line: (index: number) => string, lineBytes: number, from: number, to: number): string {
  let text = "";
  const first = Math.floor(from / lineBytes);
  for (let index = first; index * lineBytes < to; index++) text += line(index);
  return text.slice(from - first * lineBytes, to - first * lineBytes);
}

/** The most memory a process ever had; 0 when it is gone or this system does not tell. */
function peakMemoryKb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
