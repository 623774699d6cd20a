/**
 * An agent that speaks the Agent Client Protocol and does what its prompt's lines say: `ask TEXT` asks that (all at once, to be
 * allowed or rejected), `cost NUMBER` tells what the conversation has cost, `tokens JSON` what the turn used. Then it says what
 * it was answered, in the order of its questions.
 */
import { createInterface } from "node:readline";

const envelope = { jsonrpc: "2.0" };
const sessionId = "scripted";
const OPTIONS = [
  { optionId: "allowed", name: "Allow", kind: "allow_once" },
  { optionId: "rejected", name: "Reject", kind: "reject_once" },
];

const waiting = new Map();
let asked = 0;

const say = (message) => process.stdout.write(`${JSON.stringify({ ...envelope, ...message })}\n`);
const tell = (update) => say({ method: "session/update", params: { sessionId, update } });

function ask(title) {
  asked += 1;
  const id = `ask-${asked}`;
  const toolCall = { toolCallId: id, title, kind: "execute" };
  say({ id, method: "session/request_permission", params: { sessionId, toolCall, options: OPTIONS } });
  return new Promise((answered) => waiting.set(id, answered));
}

async function prompted(id, { prompt }) {
  const lines = prompt.flatMap(({ text }) => text.split("\n")).map((line) => line.split(/ (.*)/));
  const of = (verb) => lines.filter(([first]) => first === verb).map(([, rest]) => rest);
  for (const amount of of("cost")) {
    tell({ sessionUpdate: "usage_update", cost: { amount: Number(amount), currency: "USD" } });
  }
  const answers = await Promise.all(of("ask").map(ask));
  const content = { type: "text", text: `Answered: ${answers.join(", ")}.` };
  tell({ sessionUpdate: "agent_message_chunk", content });
  const usage = of("tokens").map((json) => JSON.parse(json))[0];
  say({ id, result: { stopReason: "end_turn", ...(usage === undefined ? {} : { usage }) } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result.outcome.optionId ?? result.outcome.outcome);
  else if (method === "initialize") {
    say({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "scripted", version: "1" } } });
  } else if (method === "session/new") say({ id, result: { sessionId } });
  else if (method === "session/prompt") void prompted(id, params);
});
