/** Searching beyond what is loaded, as the bar does it: kept output is read in its place. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { KeptPiece, KeptWish } from "../live/kept-output";
import { type OutputArrival, OutputLog } from "../live/output-log";
import type { OutputView } from "../live/use-output";
import { drawToasts } from "../ui/toast";
import { FindBar } from "./find-bar";
import { keyOfRow, type OutputRow, OutputRows, textOfRow } from "./output-rows";
import { useFind } from "./use-find";
import { useKeptSearch } from "./use-kept-search";

afterEach(cleanup);

const SEARCHED = { textOf: textOfRow, keyOf: keyOfRow };
const text = `the early word\n${"nothing here\n".repeat(300_000)}word at the end\n`;
const bytes = new TextEncoder().encode(text);
const START = bytes.length - 1_016;

interface BarProps {
  readonly output: OutputView;
  readonly rows: readonly OutputRow[];
  readonly began: () => void;
}

function Bar({ output, rows, began }: BarProps) {
  const find = useFind(rows, SEARCHED);
  const beyond = useKeptSearch(output, find, began);
  return find.isOpen ? (
    <FindBar find={find} beyond={beyond} closed={closed} />
  ) : (
    <button type="button" onClick={find.open}>
      open
    </button>
  );
}

const closed = vi.fn();

function show(read: (wish: KeptWish, signal: AbortSignal) => Promise<KeptPiece>) {
  const moveTo = vi.fn<(page: OutputArrival) => void>();
  const began = vi.fn();
  const log = new OutputLog(START);
  log.take({ offset: START, next: bytes.length, bytes: bytes.subarray(START), complete: true });
  const window = log.window();
  const rows = new OutputRows().of(window.pieces);
  const load = async () => {};
  const more = { loadEarlier: load, loadBeginning: load, loadLater: load };
  const rest = { isKnown: true, hasLater: false, isReadingEarlier: false, ...more };
  render(<Bar output={{ ...rest, window, read, moveTo }} rows={rows} began={began} />);
  fireEvent.click(screen.getByRole("button", { name: "open" }));
  return { moveTo, began };
}

async function give(wish: KeptWish): Promise<KeptPiece> {
  if (!("before" in wish)) throw new Error("only backwards");
  const offset = Math.max(0, wish.before - wish.limit);
  return { offset, next: wish.before, bytes: bytes.subarray(offset, wish.before) };
}

const field = () => screen.getByRole("textbox", { name: "Words to find in the output" });
const look = (words: string) => fireEvent.change(field(), { target: { value: words } });

test("[LOG-3][B7] with nothing loaded to go to, Enter finds the word in what is kept, and the window moves there", async () => {
  const { moveTo, began } = show(give);
  look("early WORD");
  expect(screen.getByText("nothing")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Search the 3.9 MB before" })).toBeTruthy();
  fireEvent.keyDown(field(), { key: "Enter" });
  await waitFor(() => expect(moveTo).toHaveBeenCalled());
  expect(moveTo.mock.calls[0]?.[0].offset).toBe(0);
  expect(began).toHaveBeenCalled();
});

test("[LOG-3] back from the first loaded hit goes on in what is kept; on from the last one goes round", async () => {
  const { moveTo } = show(give);
  look("word");
  expect(screen.getByText("1 of 1")).toBeTruthy();
  fireEvent.keyDown(field(), { key: "Enter" });
  expect(screen.queryByText(/^Searching/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Previous hit" }));
  await waitFor(() => expect(moveTo).toHaveBeenCalled());
});

test("[LOG-3] what is nowhere is not looked for twice", async () => {
  const read = vi.fn(give);
  const { moveTo } = show(read);
  look("nowhere at all");
  fireEvent.keyDown(field(), { key: "Enter", shiftKey: true });
  expect(screen.getByText(/^Searching/)).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(/^Searching/)).toBeNull());
  expect(screen.queryByRole("button", { name: /before$/ })).toBeNull();
  const reads = read.mock.calls.length;
  fireEvent.keyDown(field(), { key: "Enter", shiftKey: true });
  expect(read.mock.calls.length).toBe(reads);
  expect(moveTo).not.toHaveBeenCalled();
});

for (const [how, end] of [
  ["another word", () => look("early wor")],
  ["Stop", () => fireEvent.click(screen.getByRole("button", { name: "Stop" }))],
  ["closing the bar", () => fireEvent.keyDown(field(), { key: "Escape" })],
] as const) {
  test(`[LOG-3] ${how} ends a search: nothing more is read and nothing moves`, async () => {
    let answer = () => {};
    const signals: AbortSignal[] = [];
    const { moveTo } = show((_wish, signal) => {
      signals.push(signal);
      return new Promise((resolve) => {
        answer = () => resolve(give({ before: 100, limit: 100 }));
      });
    });
    look("early word");
    fireEvent.keyDown(field(), { key: "Enter" });
    await waitFor(() => expect(signals).toHaveLength(1));
    end();
    expect(signals[0]?.aborted).toBe(true);
    answer();
    await waitFor(() => expect(screen.queryByText(/^Searching/)).toBeNull());
    expect(moveTo).not.toHaveBeenCalled();
  });
}

test("[LOG-3] a search that fails says so and can be tried again", async () => {
  const read = vi.fn(give).mockRejectedValueOnce(new Error("The output could not be read. Try again."));
  const said: string[] = [];
  const stop = drawToasts(({ text }) => void said.push(text));
  const { moveTo } = show(read);
  look("early word");
  fireEvent.keyDown(field(), { key: "Enter" });
  await waitFor(() => expect(said).toContain("The output could not be read. Try again."));
  stop();
  fireEvent.click(await screen.findByRole("button", { name: "Search the 3.9 MB before" }));
  await waitFor(() => expect(moveTo).toHaveBeenCalled());
});

test("[B4][B7] who ends the search with Escape or its button has a place to go on from", () => {
  closed.mockClear();
  show(give);
  fireEvent.keyDown(field(), { key: "Escape" });
  expect(closed).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("textbox", { name: "Words to find in the output" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "open" }));
  fireEvent.click(screen.getByRole("button", { name: "Close the search" }));
  expect(closed).toHaveBeenCalledTimes(2);
});
