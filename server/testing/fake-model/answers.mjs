/** What the model does, said in the protocol of the service that was asked. */
import { existsSync } from "node:fs";

export const USAGE = { input: 1200, cacheRead: 300, cacheWrite: 40, output: 25, reasoning: 5 };
const GATE_LOOK_MS = 100;
let seq = 0;
const id = (p) => `${p}${String(++seq).padStart(6, "0")}`;
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

const HTTP = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};
export function fail(res, kind, status) {
  const type = HTTP[status] ?? "api_error",
    message = `fake ${status}`;
  const body =
    kind === "anthropic"
      ? { type: "error", error: { type, message }, request_id: id("req_") }
      : kind === "gemini"
        ? { error: { code: status, message, status: type.toUpperCase() } }
        : { error: { message, type, code: type } };
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
export async function answer(res, kind, n, p) {
  if (p.wait) await sleep(p.wait);
  while (p.gate && !res.destroyed && !existsSync(p.gate)) await sleep(GATE_LOOK_MS);
  if (p.special === "error") return fail(res, kind, p.status);
  const chunks = p.drip
    ? Array.from({ length: p.drip[0] }, (_, i) => `chunk ${i + 1} `)
    : (p.text.match(/.{1,24}/gs) ?? []);
  const call = p.call && {
    id: id(kind === "anthropic" ? "toolu_" : "call_"),
    ...p.call,
    json: JSON.stringify(p.call.args),
  };
  const out = n.stream ? res : null;
  out?.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const sse = (o, named = true) =>
    out?.write(`${named && o.type ? `event: ${o.type}\n` : ""}data: ${JSON.stringify(o)}\n\n`);
  const drip = async (f) => {
    for (const c of chunks) {
      f(c);
      if (p.drip) await sleep(p.drip[1]);
      if (res.destroyed) return;
    }
    if (p.special === "hang") await new Promise((r) => res.on("close", r));
    if (p.special === "cut") res.destroy();
  };
  const text = chunks.join(""),
    all = USAGE.input + USAGE.cacheRead + USAGE.cacheWrite;
  if (kind === "anthropic") {
    const usage = {
      input_tokens: USAGE.input,
      cache_creation_input_tokens: USAGE.cacheWrite,
      cache_read_input_tokens: USAGE.cacheRead,
      output_tokens: 1,
    };
    const msg = {
      id: id("msg_"),
      type: "message",
      role: "assistant",
      model: n.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    const blocks = [
      p.think && { type: "thinking", thinking: p.think, signature: "fake" },
      text && { type: "text", text },
      call && { type: "tool_use", id: call.id, name: call.name, input: call.args },
    ].filter(Boolean);
    const stop = call ? "tool_use" : "end_turn";
    if (!out) {
      await drip(() => {});
      return res.end(
        JSON.stringify({
          ...msg,
          content: blocks,
          stop_reason: stop,
          usage: { ...usage, output_tokens: USAGE.output },
        }),
      );
    }
    sse({ type: "message_start", message: msg });
    for (const [index, b] of blocks.entries()) {
      const d = (delta) => sse({ type: "content_block_delta", index, delta });
      sse({
        type: "content_block_start",
        index,
        content_block:
          b.type === "text"
            ? { type: "text", text: "" }
            : b.type === "thinking"
              ? { type: "thinking", thinking: "", signature: "" }
              : { ...b, input: {} },
      });
      if (b.type === "text") await drip((c) => d({ type: "text_delta", text: c }));
      else if (b.type === "thinking") {
        d({ type: "thinking_delta", thinking: b.thinking });
        d({ type: "signature_delta", signature: "fake" });
      } else d({ type: "input_json_delta", partial_json: call.json });
      sse({ type: "content_block_stop", index });
    }
    sse({
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { ...usage, output_tokens: USAGE.output },
    });
    sse({ type: "message_stop" });
  } else if (kind === "responses") {
    const usage = {
      input_tokens: all,
      input_tokens_details: { cached_tokens: USAGE.cacheRead },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: USAGE.reasoning },
      total_tokens: all + USAGE.output,
    };
    const r = {
      id: id("resp_"),
      object: "response",
      created_at: Math.floor(Date.now() / 1000),
      status: "in_progress",
      model: n.model,
      output: [],
      usage: null,
    };
    const custom = call && n.tools.find((t) => t.name === call.name)?.custom;
    const items = [
      p.think && {
        type: "reasoning",
        id: id("rs_"),
        summary: [{ type: "summary_text", text: p.think }],
        encrypted_content: "fake",
      },
      text && {
        type: "message",
        id: id("msg_"),
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text, annotations: [] }],
      },
      call &&
        (custom
          ? {
              type: "custom_tool_call",
              id: id("ctc_"),
              call_id: call.id,
              name: call.name,
              input: call.args.input ?? call.json,
              status: "completed",
            }
          : {
              type: "function_call",
              id: id("fc_"),
              call_id: call.id,
              name: call.name,
              arguments: call.json,
              status: "completed",
            }),
    ].filter(Boolean);
    sse({ type: "response.created", response: r });
    for (const [output_index, item] of items.entries()) {
      const bare =
        item.type === "message"
          ? { ...item, content: [], status: "in_progress" }
          : item.type === "function_call"
            ? { ...item, arguments: "", status: "in_progress" }
            : item;
      sse({ type: "response.output_item.added", output_index, item: bare });
      if (item.type === "message") {
        sse({
          type: "response.content_part.added",
          item_id: item.id,
          output_index,
          content_index: 0,
          part: { type: "output_text", text: "", annotations: [] },
        });
        await drip((delta) =>
          sse({ type: "response.output_text.delta", item_id: item.id, output_index, content_index: 0, delta }),
        );
        sse({ type: "response.output_text.done", item_id: item.id, output_index, content_index: 0, text });
      } else if (item.type === "function_call") {
        sse({ type: "response.function_call_arguments.delta", item_id: item.id, output_index, delta: call.json });
        sse({ type: "response.function_call_arguments.done", item_id: item.id, output_index, arguments: call.json });
      }
      sse({ type: "response.output_item.done", output_index, item });
    }
    const final = { ...r, status: "completed", output: items, usage };
    out ? sse({ type: "response.completed", response: final }) : res.end(JSON.stringify(final));
  } else {
    const usageMetadata = {
      promptTokenCount: all,
      cachedContentTokenCount: USAGE.cacheRead,
      candidatesTokenCount: USAGE.output - USAGE.reasoning,
      thoughtsTokenCount: USAGE.reasoning,
      totalTokenCount: all + USAGE.output,
    };
    const base = { modelVersion: n.model, responseId: id("g") };
    const part = (parts, extra = {}, more = {}) => ({
      candidates: [{ index: 0, content: { role: "model", parts }, ...extra }],
      ...base,
      ...more,
    });
    const fc = call
      ? [{ functionCall: { name: call.name, args: call.args, id: call.id }, thoughtSignature: "ZmFrZQ==" }]
      : [];
    if (!out) {
      await drip(() => {});
      return res.end(JSON.stringify(part([{ text }, ...fc], { finishReason: "STOP" }, { usageMetadata })));
    }
    if (p.think) sse(part([{ text: p.think, thought: true }]));
    await drip((t) => sse(part([{ text: t }])));
    sse(part(fc.length ? fc : [{ text: "" }], { finishReason: "STOP" }, { usageMetadata }));
  }
  if (!res.destroyed) res.end();
}
