/** For tests of conversations: small programs that speak Claude Code's stream, Codex's or ACP, well or badly. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentTalk, RunOrder } from "../../ports/runner";
import { orderFor } from "../../testing/runner.suite";
import type { ProcessHarness } from "./process-harness";

export const CLAUDE = { driver: "claude", resume: null } satisfies AgentTalk;
export const CODEX = {
  driver: "codex",
  resume: null,
  otherwise: null,
  model: null,
  approvalPolicy: "x",
  sandbox: "y",
} satisfies AgentTalk;
export const ACP = { driver: "acp", resume: null, otherwise: null, model: null, mode: null } satisfies AgentTalk;

/**
 * Starts a program whose body may use `say(object)`, `hear(message => …)`, `raw(text)` and `result()`; it leaves when its stdin
 * is closed, unless it says otherwise.
 */
export async function beginTalk(
  harness: ProcessHarness,
  talk: AgentTalk,
  body: string,
  changes: Partial<RunOrder> = {},
): Promise<RunOrder> {
  const file = join(harness.dataDir, "agent.cjs");
  await writeFile(file, `${AGENT}\n${body}`);
  const order = orderFor(harness, { argv: [process.execPath, file], stdin: "the prompt", talk }, changes);
  await harness.runner.start(order);
  return order;
}

const AGENT = `
const raw = (text) => process.stdout.write(text);
const say = (message) => raw(JSON.stringify(message) + "\\n");
let leaves = true;
const hear = (listen) => {
  let held = "";
  process.stdin.on("data", (bytes) => {
    held += bytes;
    for (let at; (at = held.indexOf("\\n")) >= 0; held = held.slice(at + 1)) listen(JSON.parse(held.slice(0, at)));
  });
  process.stdin.on("end", () => leaves && process.exit(0));
};
const result = () => say({ type: "result", subtype: "success", is_error: false, result: "ok" });
`;
