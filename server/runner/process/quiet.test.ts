/** When an agent said something last (R9), by a small program that speaks as Claude Code does while its model hangs. */
import { expect, it } from "vitest";
import { readToEnd, untilProbe } from "../../testing/runner.suite";
import { waitFor } from "../../testing/wait-for";
import { type ProcessHarness, withProcessHarness } from "./process-harness";
import { beginTalk, CLAUDE } from "./talking-harness";

let harness: ProcessHarness;
withProcessHarness((fresh) => {
  harness = fresh;
});

/** Each ping comes in two pieces, and the first of one stands behind the end of another. */
const HANGS = `
  hear((message) => { if (message.type === "control_request") process.exit(0); });
  say({ type: "system", subtype: "init" });
  const ping = () => JSON.stringify({ type: "stream_event", event: { type: "ping" }, parent_tool_use_id: null, at: Date.now() }) + "\\n";
  let half = "";
  setInterval(() => { const next = ping(); raw(half + next.slice(0, 30)); half = next.slice(30); }, 100);
`;

it("[R9][R6] an agent that only pings is quiet since it said something, and its pings are kept", async () => {
  const order = await beginTalk(harness, CLAUDE, HANGS, { limits: { longestRunMs: 5_000, termGraceMs: 5_000 } });
  const pings = async () => {
    const { bytes } = await harness.runner.read(order, 0, 1_000_000);
    const whole = Buffer.from(bytes).toString().split("\n").slice(0, -1);
    return whole.flatMap((line) => [JSON.parse(line)]).flatMap(({ at }: { at?: number }) => at ?? []);
  };
  const [, , third = 0] = await waitFor(async () => {
    const all = await pings();
    return all.length >= 10 && all;
  }, "ten pings");
  const { lastAt } = await harness.runner.extent(order);
  expect(lastAt).toBeGreaterThan(0);
  expect(lastAt).toBeLessThan(third);

  const { ending } = await untilProbe(harness.runner, order, "exited");
  expect(ending.cause).toBe("timed-out");
  const last = (await pings()).at(-1) ?? 0;
  // It was silent for longer than from its third ping to its last.
  expect(ending.quietMs).toBeGreaterThan(last - third);
  expect((await readToEnd(harness.runner, order)).length).toBe(ending.outputBytes);
});
