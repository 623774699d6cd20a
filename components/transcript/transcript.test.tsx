/** Transcripts of recorded streams of the real agents (server/core/agent/streams), as the page shows them. */
import { readFileSync } from "node:fs";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StreamFormat } from "@/server/core/agent/events";
import { sampleSession } from "../board/sample";
import { TranscriptLog, type TranscriptPicture } from "../live/transcript-log";
import { Markdown } from "./markdown";
import { rowsOf, textOfRows } from "./rows";
import { TranscriptView } from "./transcript-view";

const shown = vi.hoisted(() => ({ picture: null as unknown }));
vi.mock("../live/use-transcript", () => ({ useTranscript: () => shown.picture }));

beforeEach(() => {
  // Nothing is laid out here: a screen of 600 px, and rows of 32.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(32);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** What the agent wrote: recordings hold both directions. */
function recorded(name: string): string {
  const lines = readFileSync(`server/core/agent/streams/${name}.jsonl`, "utf8").split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ dir, DIR }) => dir !== ">" && DIR !== "in")
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/** In pieces of these lengths, over and over. */
function read(format: StreamFormat, output: string, lengths: readonly number[] = [100_000]): TranscriptPicture {
  const bytes = new TextEncoder().encode(output);
  const log = new TranscriptLog(format);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const piece = bytes.subarray(at, at + (lengths[turn % lengths.length] ?? 1));
    at += piece.length;
    log.take({ offset: at - piece.length, next: at, bytes: piece, complete: at === bytes.length });
  }
  return log.picture();
}

function show(picture: TranscriptPicture, status: "running" | "succeeded" = "succeeded", asked = "") {
  shown.picture = picture;
  const session = sampleSession({ status, startedAt: "2026-01-01T12:00:00.000Z" });
  return render(
    <TranscriptView session={session} format="claude" number={12} asked={asked} outcome={<p>How it ended</p>} />,
  );
}

const line = (message: object) => `${JSON.stringify(message)}\n`;
const said = (id: string, ...content: object[]) => line({ type: "assistant", message: { id, content } });
const result = (id: string, content: string, isError = false) =>
  line({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] } });
const bash = (id: string, command: string) =>
  said(`m-${id}`, { type: "tool_use", id, name: "Bash", input: { command } });

test("[A9] what ran in the background stands in the transcript, in the copied text, and is found", () => {
  const picture = read(
    "claude",
    recorded("claude-code.background") + line({ camelot: "ended", running: ["npm run dev"] }),
  );
  show(picture);
  const ended = "This still ran in the background and was ended with the session: npm run dev";
  expect(screen.getByText('Background command "run tests" completed (exit code 0)')).toBeTruthy();
  expect(screen.getByText(ended)).toBeTruthy();
  expect(screen.queryByText(/other lines?$/)).toBeNull();
  expect(textOfRows(rowsOf(picture.transcript.items, false))).toContain(ended);
});

test("[B7] a recorded run of Claude Code: what it was asked, what it says, the file it wrote, and how it ended", async () => {
  show(read("claude", recorded("claude-code.ok")), "succeeded", "Write hello.txt");
  const log = screen.getByRole("log", { name: "Transcript" });
  expect(within(log).getByText("Write hello.txt")).toBeTruthy();
  await waitFor(() => expect(log.textContent).toContain("Done: I wrote hello.txt."));
  expect(within(log).getByRole("button", { name: /Write .*hello\.txt \+1 −0/ })).toBeTruthy();
  expect(within(log).getByRole("figure", { name: "What changed" }).textContent).toContain(
    "+ hello from the fake model",
  );
  expect(screen.getByText(/claude-code 2\.1/)).toBeTruthy();
  expect(screen.getByText("How it ended")).toBeTruthy();
});

test("[B7] a recorded run of Codex, as it is copied and saved: what people said as it tells it, commands with what they printed, errors", () => {
  const picture = read("codex", recorded("codex-app-server.session"));
  const text = textOfRows(rowsOf(picture.transcript.items, false));
  for (const part of ["**Asked:** @@bash touch a\n@@say one\n", "Step 1: bash.\n\none\n", "**Error:** fake 400\n"]) {
    expect(text).toContain(part);
  }
  const item = { id: "c", type: "commandExecution", command: "npm test", status: "inProgress" };
  const command = (method: string, params: object) => line({ method, params });
  const run =
    command("item/started", { item }) +
    command("item/commandExecution/outputDelta", { itemId: "c", delta: "1 passed\n" }) +
    command("item/commandExecution/outputDelta", { itemId: "c", delta: "``` 1 failed\n" }) +
    command("item/completed", { item: { ...item, status: "failed", exitCode: 1 } });
  expect(textOfRows(rowsOf(read("codex", run).transcript.items, false))).toBe(
    "**Run** `npm test` (failed)\n\n````\n1 passed\n``` 1 failed\n````\n",
  );
  show(picture, "succeeded", "Not shown: the agent tells it");
  expect(document.body.textContent).not.toContain("Not shown");
});

test("[B7] a command whose end was never told is at work as long as its agent is, and not afterwards", () => {
  const item = { id: "c", type: "commandExecution", command: "npm run dev", status: "inProgress" };
  const picture = read("codex", line({ method: "item/started", params: { item } }));
  const { unmount } = show({ ...picture, isComplete: false }, "running");
  expect(screen.getByText("at work")).toBeTruthy();
  unmount();
  show(picture);
  expect(screen.queryByText("at work")).toBeNull();
  expect(screen.getByText("no end told")).toBeTruthy();
});

test("[B7][R12] what somebody is asked to allow shows its change and waits, until there is an answer", () => {
  const content = [{ type: "diff", path: "/w/hello.txt", oldText: "old\n", newText: "new\n" }];
  const toolCall = { toolCallId: "t", status: "pending", title: "Writing to hello.txt", kind: "edit", content };
  const asked =
    line({ jsonrpc: "2.0", id: 0, method: "session/request_permission", params: { options: [], toolCall } }) +
    line({ camelot: "question", id: "q", text: "Writing to hello.txt", options: ["Allow", "Reject"] });
  const { unmount } = show({ ...read("acp", asked), isComplete: false }, "running");
  expect(screen.getByRole("figure", { name: "What changed" }).textContent).toBe("− old\n+ new\n");
  expect(screen.getByText("not yet allowed")).toBeTruthy();
  expect(screen.getByText("Waits for an answer.")).toBeTruthy();
  expect(screen.queryByText("at work")).toBeNull();
  unmount();
  const answered = asked + line({ camelot: "answer", id: "q", option: "Allow" });
  const after = show({ ...read("acp", answered), isComplete: false }, "running");
  expect(screen.getByText(/Answered: Allow/)).toBeTruthy();
  expect(screen.getByText("at work")).toBeTruthy();
  after.unmount();
  show(read("acp", asked));
  expect(screen.getByText("Not answered.")).toBeTruthy();
});

test("[B7][R6] however the output was cut on its way, the transcript is the same", () => {
  const output = recorded("claude-code.partial-messages");
  const whole = textOfRows(rowsOf(read("claude", output).transcript.items, false));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 8 }), (lengths) => {
      expect(textOfRows(rowsOf(read("claude", output, lengths).transcript.items, false))).toBe(whole);
    }),
    { numRuns: 20 },
  );
});

test("[B7][L3] what came twice is not there twice, and what would leave a hole is asked for again", () => {
  const [one, two] = [bash("t1", "ls"), result("t1", "a.txt")].map((text) => new TextEncoder().encode(text));
  const log = new TranscriptLog("claude");
  const [first = new Uint8Array(), second = new Uint8Array()] = [one, two];
  const ends = [first.length, first.length + second.length] as const;
  const take = (bytes: Uint8Array, offset: number) =>
    log.take({ offset, next: offset + bytes.length, bytes, complete: false });
  expect(take(second, ends[0])).toBe("gap");
  expect(take(first, 0)).toBe("taken");
  const both = new Uint8Array([...first, ...second]);
  expect(take(both, 0)).toBe("taken");
  expect(take(second, ends[0])).toBe("taken");
  expect(log.end).toBe(ends[1]);
  expect(log.picture().transcript.items).toMatchObject([{ kind: "tool", title: "ls", output: "a.txt" }]);
});

test("[B7] thoughts are folded, long output shows its first lines, and both open by a press", () => {
  const many = Array.from({ length: 40 }, (_, place) => `printed ${place + 1}`).join("\n");
  const thought = { type: "thinking", thinking: "First words.\nThe hidden rest." };
  show(read("claude", said("m", thought) + bash("t", "seq 40") + result("t", many)));
  expect(screen.queryByText(/hidden rest/, { selector: "p" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /^Thought/ }));
  expect(screen.getByText(/The hidden rest/, { selector: "p" })).toBeTruthy();
  const out = screen.getByRole("figure", { name: "What came out" });
  expect(out.textContent).toBe(many.split("\n").slice(0, 6).join("\n"));
  fireEvent.click(screen.getByRole("button", { name: "34 more lines" }));
  expect(screen.getByRole("figure", { name: "What came out" }).textContent).toBe(many);
  expect(screen.getByRole("figure", { name: "What went in" }).textContent).toBe("seq 40");
});

test("[B7][R12] plans are check-lists, questions stand with their answers, retries and errors are told", () => {
  const todos = ["done", "next"].map((content, place) => ({ content, status: place === 0 ? "completed" : "pending" }));
  const plan = said("m", { type: "tool_use", id: "p", name: "TodoWrite", input: { todos } });
  const question = line({ camelot: "question", id: "q", text: "May it run npm?", options: ["Allow", "Refuse"] });
  const answer = line({ camelot: "answer", id: "q", option: "Allow" });
  const cut = line({
    type: "system",
    subtype: "api_retry",
    attempt: 1,
    max_retries: 1,
    error_status: null,
    error: "unknown",
  });
  const retry = line({ type: "system", subtype: "api_retry", attempt: 2, max_retries: 10, error: "overloaded" });
  const end = line({ type: "result", subtype: "success", is_error: true, api_error_status: 401, result: "No login." });
  show(read("claude", `${plan}${question}${answer}${cut}${retry}${end}a line of something else\n`));
  const steps = within(screen.getByRole("list", { name: "Plan" })).getAllByRole("listitem");
  expect(steps.map((step) => step.textContent)).toEqual(["done (done)", "next (to do)"]);
  expect(screen.getByText("May it run npm?")).toBeTruthy();
  expect(screen.getByText("Answered: Allow")).toBeTruthy();
  expect(screen.getByText("Trying again (2 of 10): overloaded")).toBeTruthy();
  expect(
    screen.getByText("Trying again (1 of 1): the model did not answer, or the connection to it was cut"),
  ).toBeTruthy();
  expect(screen.getByText("No login.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "1 other line" }));
  expect(screen.getByText("a line of something else")).toBeTruthy();
});

test("[A4] while it runs, the tokens so far are told, and no cost is guessed", () => {
  const usage = { input_tokens: 1_000, cache_read_input_tokens: 200, output_tokens: 34 };
  const event = { type: "stream_event", api_message_id: "m", event: { type: "message_delta", usage } };
  show(read("claude", line(event) + said("m", { type: "text", text: "At it." })), "running");
  expect(screen.getByText("1,234 tokens so far")).toBeTruthy();
  expect(document.body.textContent).not.toContain("$");
});

test("[B7] search goes through messages, commands and what they printed, and opens what is folded", () => {
  const printed = [...Array.from({ length: 30 }, () => "dull"), "the needle"].join("\n");
  show(read("claude", said("m", { type: "text", text: "No Needle here." }) + bash("t", "cat") + result("t", printed)));
  fireEvent.click(screen.getByRole("button", { name: "Search the transcript" }));
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "needle" } });
  expect(screen.getByRole("status").textContent).toBe("1 of 2");
  fireEvent.click(screen.getByRole("button", { name: "Next hit" }));
  expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["Needle", "needle"]);
});

test("[B12] of a hundred thousand rows only those on the screen are in the document", () => {
  const output = Array.from(
    { length: 50_000 },
    (_, place) => bash(`t${place}`, `echo ${place}`) + result(`t${place}`, "x"),
  );
  const picture = read("claude", output.join(""));
  expect(picture.transcript.items).toHaveLength(50_000);
  show(picture);
  const drawn = document.querySelectorAll(".transcript-row").length;
  expect([drawn > 0, drawn < 60]).toEqual([true, true]);
});

test("[S3][SEC-4] nothing that an agent says can run or reach out: no HTML, no pictures, no links but http, https and mailto", () => {
  const text = [
    "<script>alert(1)</script><img src=x onerror=alert(1)> <iframe src=https://example.test></iframe>",
    "[one](javascript:alert(1)) [two](JaVaScRiPt:alert(1)) [three](data:text/html,x) [four](/pool) [five](//evil.test)",
    "![picture](https://example.test/pixel.png)",
    "[shop](https://example.test/ok)",
    "<javascript:alert(1)>",
    "- [x] a box",
    "# A heading",
    "a[^1]\n\n[^1]: note",
  ].join("\n\n");
  const { container } = render(<Markdown text={text} />);
  expect(container.querySelectorAll("script, img, iframe, input, h1, h2, [id], style")).toHaveLength(0);
  expect([...container.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
    "https://example.test/ok",
  ]);
  expect(container.textContent).toContain("<script>alert(1)</script>");
  expect(container.textContent).toContain("shop (https://example.test/ok)");
  expect(container.textContent).toContain("[picture: picture · https://example.test/pixel.png]");
});

test("[SEC-4] escapes in what a command printed are left out, and letters that turn text around are written out", () => {
  show(read("claude", bash("t", "echo \u202egnp") + result("t", "\u001b[31mred\u001b[0m\u0007 \u202ertl")));
  expect(screen.getByRole("figure", { name: "What came out" }).textContent).toBe("red [U+202E]rtl");
  expect(screen.getByRole("button", { name: /Run echo \[U\+202E\]gnp/ })).toBeTruthy();
});
