/**
 * A server that pretends to be the services of models that agents call: Anthropic Messages, OpenAI Responses and Gemini. On
 * 127.0.0.1, any port. Its token counts are odd on purpose, so that a count in the wrong place shows.
 */
import http from "node:http";
import { answer, fail, USAGE } from "./answers.mjs";
import { normalise } from "./requests.mjs";
import { decide } from "./script.mjs";

const KINDS = [
  ["anthropic", /\/messages$/],
  ["responses", /\/responses$/],
  ["gemini", /:(stream)?generateContent$/i],
];
const MODEL = { id: "fake-model", object: "model", type: "model", display_name: "Fake" };

/**
 * `log`: one entry per request for a model, with the tools that were offered and whether the agent hung up.
 * @returns {Promise<{url: string, log: {kind: string, tools: string[], aborted: boolean}[], close(): Promise<void>}>}
 */
export async function startFakeModel() {
  const log = [];
  const server = http.createServer((request, response) => serve(request, response, log));
  // Codex tries a WebSocket first; this sends it to HTTP at once.
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    log,
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function serve(request, response, log) {
  const body = parse(await readAll(request));
  const path = request.url.split("?")[0];
  const [kind = null] = KINDS.find(([, pattern]) => pattern.test(path)) ?? [];
  const json = (value, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (kind === null || request.method !== "POST") {
    if (/count_tokens$/.test(path)) return json({ input_tokens: USAGE.input });
    if (/:countTokens$/.test(path)) return json({ totalTokens: USAGE.input });
    if (/\/models$/.test(path)) return json({ object: "list", data: [MODEL], models: [] });
    return json({ error: { message: "not faked", type: "not_found_error" } }, 404);
  }
  try {
    const asked = normalise(kind, body, request.url);
    const entry = { kind, tools: asked.tools.map((tool) => tool.name), aborted: false };
    log.push(entry);
    response.on("close", () => {
      entry.aborted = !response.writableFinished;
    });
    await answer(response, kind, asked, decide(asked));
  } catch (error) {
    log.push({ kind, tools: [], aborted: false, failure: String(error) });
    if (response.headersSent) response.destroy();
    else fail(response, kind, 500);
  }
}

async function readAll(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
