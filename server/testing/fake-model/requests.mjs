/** Requests of agents to the services of models, in the shapes of three of them, as one. */
const str = (c) => (typeof c === "string" ? c : Array.isArray(c) ? c.map((p) => p?.text ?? "").join("\n") : "");
const parts = (c) => (Array.isArray(c) ? c.map((p) => p?.text ?? "") : [c ?? ""]);

export function normalise(kind, b, url) {
  const turns = [],
    tools = [];
  const add = (k, text) => turns.push({ kind: k, text: text ?? "" });
  const tool = (name, schema, custom) =>
    name && tools.push({ name, props: schema?.properties ?? {}, custom: !!custom });
  if (kind === "anthropic") {
    for (const m of b.messages ?? []) {
      if (typeof m.content === "string") {
        add(m.role, m.content);
        continue;
      }
      for (const p of m.content)
        p.type === "tool_result" ? add("result", str(p.content)) : p.type === "text" && add(m.role, p.text);
    }
    for (const t of b.tools ?? []) tool(t.name, t.input_schema);
  } else if (kind === "responses") {
    const input = typeof b.input === "string" ? [{ role: "user", content: b.input }] : (b.input ?? []);
    const more = []; // newer Codex sends its tools as an input item
    for (const i of input)
      i.type === "additional_tools"
        ? more.push(...i.tools)
        : /_output$/.test(i.type ?? "")
          ? add("result", str(i.output))
          : i.role && parts(i.content).map((t) => add(i.role, t));
    for (const t of [...(b.tools ?? []), ...more]) {
      if (t.type === "namespace") {
        for (const s of t.tools ?? []) tool(s.name, s.parameters, s.type === "custom");
        continue;
      }
      tool(t.name ?? (t.type === "local_shell" ? "local_shell" : null), t.parameters, t.type === "custom");
    }
  } else {
    for (const c of b.contents ?? [])
      for (const p of c.parts ?? [])
        p.functionResponse
          ? add("result", JSON.stringify(p.functionResponse.response))
          : p.text && add(c.role === "model" ? "assistant" : "user", p.text);
    for (const g of b.tools ?? [])
      for (const f of g.functionDeclarations ?? []) tool(f.name, f.parametersJsonSchema ?? f.parameters);
  }
  const sys =
    str(b.system) +
    str(b.instructions) +
    str(b.systemInstruction?.parts) +
    turns
      .filter((t) => t.kind !== "assistant")
      .map((t) => t.text)
      .join("\n");
  return {
    turns,
    tools,
    sys,
    model: b.model ?? /models\/([^:]+):/.exec(url)?.[1] ?? "fake",
    stream: kind === "gemini" ? /:stream/.test(url) : !!b.stream,
  };
}
