/**
 * What the model does: the prompt is the script. Each line of the newest user message that starts with "@@" is one turn:
 *
 *   @@write PATH TEXT   the agent's own write tool (or its shell tool when it has none)
 *   @@bash COMMAND      the agent's own shell tool
 *   @@tool NAME JSON    a tool by its exact name
 *   @@say TEXT          a last text                        @@think TEXT   thoughts before the next turn
 *   @@wait MS           a pause before the next turn       @@drip N MS    N pieces of text, MS apart, then the end
 *   @@gate PATH         nothing until that file is there (a command that waits goes on in the background of some agents)
 *   @@hang              headers, then nothing              @@cut          the connection breaks in mid-stream
 *   @@error STATUS [N]  that HTTP status (the first N times only)
 *
 * Where a run stands is read off the request itself: the count of tool results after the script.
 */
const DEFAULT = ["@@write hello.txt hello from the fake model", "@@say Done: I wrote hello.txt."];

const scriptOf = (text) =>
  text
    .split("\n")
    .map((l) => l.trim())
    .filter((l) => /^@@[a-z]/.test(l));
export function decide(n) {
  let at = n.turns.findLastIndex((t) => t.kind === "user" && scriptOf(t.text).length);
  const lines = at >= 0 ? scriptOf(n.turns[at].text) : DEFAULT;
  if (at < 0) at = n.turns.findLastIndex((t) => t.kind === "user" && !t.text.startsWith("<"));
  let done = n.turns.slice(at + 1).filter((t) => t.kind === "result").length;
  const plan = { text: "", think: "", call: null, wait: 0, gate: null, drip: null, special: null, step: done };
  if (!n.tools.length) return { ...plan, text: "Fake title" }; // side calls: titles, summaries, classifiers
  for (const line of lines) {
    const [, cmd, rest = ""] = /^@@(\w+)\s*(.*)$/.exec(line);
    const isCall = cmd === "write" || cmd === "bash" || cmd === "tool";
    if (isCall && done-- > 0) {
      plan.wait = 0;
      plan.gate = null;
      plan.think = "";
      continue;
    } // this call already has its result
    if (isCall) return { ...plan, text: `Step ${plan.step + 1}: ${cmd}.`, call: pick(n, cmd, rest) };
    if (done > 0) continue;
    if (cmd === "say") return { ...plan, text: rest };
    if (cmd === "think") plan.think = rest;
    if (cmd === "wait") plan.wait = +rest;
    if (cmd === "gate") plan.gate = rest;
    if (cmd === "drip") {
      const [c, ms] = rest.split(" ").map(Number);
      return { ...plan, drip: [c, ms] };
    }
    if (cmd === "hang" || cmd === "cut") return { ...plan, text: "partial ", special: cmd };
    if (cmd === "error") {
      const [status, times = "always"] = rest.split(" ");
      const key = lines.join("\n");
      const used = errors.get(key) ?? 0;
      if (times === "always" || used < +times) {
        errors.set(key, used + 1);
        return { ...plan, special: "error", status: +status };
      }
    }
  }
  return { ...plan, text: "Done." };
}
export const errors = new Map();

function pick(n, cmd, rest) {
  const find = (re) => n.tools.find((t) => re.test(t.name));
  const key = (t, re) => Object.keys(t.props).find((k) => re.test(k));
  if (cmd === "tool") {
    const m = /^(\S+)\s*(.*)$/.exec(rest);
    return { name: m[1], args: JSON.parse(m[2] || "{}") };
  }
  const cwd =
    /(?:working directory|<cwd>|working in the directory|Workspace Directories)[*:>\s`-]{0,12}(\/[^\s"'<`]+)/i.exec(
      n.sys,
    )?.[1];
  const [, path = "", body = ""] = cmd === "write" ? /^(\S+)\s*(.*)$/.exec(rest) : [];
  const w = cmd === "write" && find(/^(write|write_file|write_to_file|create_file|writefile)$/i);
  if (w) {
    const p = key(w, /path|file/i) ?? "path",
      c = key(w, /content|text|body/i) ?? "content";
    return {
      name: w.name,
      args: { [p]: path.startsWith("/") || !cwd ? path : `${cwd.replace(/\/$/, "")}/${path}`, [c]: `${body}\n` },
    };
  }
  const s = find(
    /^(bash|shell|shell_command|exec_command|run_shell_command|execute_command|run_commands?|local_shell)$/i,
  );
  const command = cmd === "bash" ? rest : `printf '%s\\n' '${body.replace(/'/g, `'\\''`)}' > ${path}`;
  const js = !s && n.tools.find((t) => t.name === "exec" && t.custom); // Codex "code mode": the tool input is JavaScript
  if (js)
    return {
      name: "exec",
      args: { input: `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} }); text(r.output ?? r);` },
    };
  if (!s) return { name: "no_such_tool", args: { command } };
  const k = key(s, /^(command|cmd|commands|script)$/) ?? "command",
    type = s.props[k]?.type;
  const args = { [k]: type === "array" ? (k === "commands" ? [command] : ["bash", "-lc", command]) : command };
  if (s.props.description) args.description = "run one command";
  if (s.props.requires_approval) args.requires_approval = false;
  return { name: s.name, args };
}
