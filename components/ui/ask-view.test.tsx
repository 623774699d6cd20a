import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { AskView } from "./ask-view";

afterEach(cleanup);

const QUESTION = { title: "#12 conflicts with main", yes: "Send back", no: "Leave it", answer: () => {} };
const listed = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

test("[W4] the one file that the sentence names is not named again; what it does not name in full is listed", () => {
  const run = vi.fn();
  const instead = { label: "Look at them", run };
  render(<AskView question={{ ...QUESTION, text: "Both changed “a b.ts”.", items: ["a b.ts"], instead }} />);
  expect(listed()).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Look at them" }));
  expect(run).toHaveBeenCalledWith(["a b.ts"]);
  cleanup();
  render(<AskView question={{ ...QUESTION, text: "Both changed “a b.ts” and 1 more.", items: ["a b.ts", "c.ts"] }} />);
  expect(listed()).toEqual(["a b.ts", "c.ts"]);
  cleanup();
  render(<AskView question={{ ...QUESTION, text: "Both changed “a very long…”.", items: ["a very long name"] }} />);
  expect(listed()).toEqual(["a very long name"]);
});
