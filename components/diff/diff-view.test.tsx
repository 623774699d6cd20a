import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import type { DiffFile } from "@/server/contract/tasks";
import { samplePool, sampleSession, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { readComments, removeComments } from "./comment-store";
import { DiffView } from "./diff-view";

const PATCH = "@@ -1,3 +1,3 @@ const filters\n first();\n-second();\n+third();\n last();\n";
const LONG = `@@ -0,0 +1,3000 @@\n${Array.from({ length: 3_000 }, (_, at) => `+line ${at + 1}\n`).join("")}`;
const me = {
  id: "nora",
  name: "Nora",
  email: "n@example.test",
  role: "member" as const,
  running: 0,
  queued: 0,
  max: 2,
};

let files: DiffFile[];
const asked: string[] = [];

const file = (change: Partial<DiffFile>): DiffFile => ({
  path: "src/a.txt",
  oldPath: null,
  status: "modified",
  isBinary: false,
  additions: 1,
  deletions: 1,
  patch: PATCH,
  isCut: false,
  ...change,
});

beforeEach(() => {
  localStorage.clear();
  removeComments(
    "t1",
    readComments("t1").map(({ id }) => id),
  );
  asked.length = 0;
  files = [file({})];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    let answer: unknown = { items: [], next: null };
    if (pathname.endsWith("/diff")) {
      const path = searchParams.get("path");
      asked.push(path ?? "all");
      const shown = path === null ? files : files.filter((one) => one.path === path);
      const whole = shown.map((one) => (one.isCut && path !== null ? { ...one, patch: LONG, isCut: false } : one));
      answer = { branch: "camelot/12-retry", baseBranch: "main", files: whole };
    }
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(sessionId = "s1", leftOut: string[] = []) {
  const session = sampleSession({ id: sessionId, status: "succeeded", leftOut });
  const task = sampleTask({ column: "review", session, sessionCount: 1 });
  const first = { me, pool: samplePool(), projects: [] };
  return render(
    <LiveProvider isSignedIn={false} first={first} moment={0} routes={contract}>
      <DiffView task={task} />
    </LiveProvider>,
  );
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });
const cells = (row: HTMLElement) => [...row.querySelectorAll("td")].map((cell) => cell.textContent);

test("[W4] a diff is shown unified or side by side, and the choice is remembered", async () => {
  show();
  fireEvent.click(await button("Side by side"));
  const rows = within(screen.getByRole("region", { name: "src/a.txt" })).getAllByRole("row");
  expect(rows.map(cells)).toEqual([
    ["@@ const filters · lines 1–3"],
    ["1", "", "first();", "1", "", "first();"],
    ["2", "−", "second();", "2", "+", "third();"],
    ["3", "", "last();", "3", "", "last();"],
  ]);
  cleanup();
  show();
  expect((await button("Side by side")).getAttribute("aria-pressed")).toBe("true");
});

test("[W4] files have ± counts, say what became of them, and are listed to jump to", async () => {
  files = [
    file({}),
    file({ path: "new name\n", oldPath: "old", status: "renamed", additions: 0, deletions: 0, patch: "" }),
    file({ path: "logo.png", status: "added", isBinary: true, additions: 0, deletions: 0, patch: null }),
  ];
  show();
  expect((await button(/^3 files/)).textContent).toBe("3 files+1 −1");
  const renamed = screen.getByRole("region", { name: "old → new name\\u000a" });
  expect(within(renamed).getByText("renamed")).toBeTruthy();
  const picture = screen.getByRole("region", { name: "logo.png" });
  expect(within(picture).getByText("binary")).toBeTruthy();
  expect(within(picture).queryByRole("button")).toBeNull();
  fireEvent.click(await button(/^3 files/));
  const list = within(screen.getByRole("navigation", { name: "Changed files" }));
  fireEvent.click(list.getByRole("button", { name: /^logo\.png/ }));
  expect(picture.contains(document.activeElement)).toBe(true);
});

test("[W2][W4] what is not on the branch is named beside the diff, with what can be done about it", async () => {
  show("s1", [".env"]);
  expect((await screen.findByText(/^One file stays uncommitted/)).textContent).toMatch(
    /\.env\. No merge brings it along/,
  );
});

test("[W4][B12] a long patch is read when its file is unfolded, and only rows near the screen are drawn", async () => {
  const near: ((isNear: boolean) => void)[] = [];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(told: IntersectionObserverCallback) {
        near.push((isIntersecting) => {
          const entry = { isIntersecting, boundingClientRect: { height: 2_000 } } as IntersectionObserverEntry;
          told([entry], this as unknown as IntersectionObserver);
        });
      }
      observe() {}
      disconnect() {}
    },
  );
  files = [file({}), file({ path: "big.txt", isCut: true, patch: null, additions: 3_000 })];
  show();
  const head = await button(/^big\.txt/);
  expect(head.getAttribute("aria-expanded")).toBe("false");
  expect(asked).toEqual(["all"]);
  fireEvent.click(head);
  await waitFor(() => expect(near).toHaveLength(31));
  expect(asked).toEqual(["all", "big.txt"]);
  const rows = () => document.querySelectorAll(".line-button").length - 3;
  expect(rows()).toBeLessThan(300);
  near[29]?.(true);
  expect(await screen.findByText("line 2950")).toBeTruthy();
  const drawn = rows();
  near[29]?.(false);
  await waitFor(() => expect(rows()).toBeLessThan(drawn));
});

test("[W4] a file of which only the line endings changed says so", async () => {
  files = [file({ patch: "@@ -1,2 +1,2 @@\n-first();\r\n-second();\r\n+first();\n+second();\n" })];
  show();
  expect(await screen.findByText("line endings CRLF → LF")).toBeTruthy();
});

test("[W5][B4] the keyboard goes on from the line that was clicked", async () => {
  show();
  const words = (await button("Comment on line 2")).closest("tr")?.querySelector(".tx") ?? document.body;
  fireEvent.click(words);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Comment on line 2");
  fireEvent.keyDown(document.activeElement ?? words, { key: "ArrowUp" });
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Comment on removed line 2");
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("[W5][B4] by keyboard: the lines are one stop, arrows go from line to line, Enter begins a comment, Escape takes it back", async () => {
  show();
  const lines = await screen.findByRole("group", { name: /^Lines/ });
  expect(
    within(lines)
      .getAllByRole("button")
      .every((one) => one.tabIndex === -1),
  ).toBe(true);
  lines.focus();
  fireEvent.keyDown(lines, { key: "ArrowDown" });
  for (const name of ["Comment on line 1", "Comment on removed line 2", "Comment on line 2"]) {
    expect(document.activeElement?.getAttribute("aria-label")).toBe(name);
    fireEvent.keyDown(document.activeElement ?? lines, { key: "ArrowDown" });
  }
  fireEvent.keyDown(document.activeElement ?? lines, { key: "ArrowUp" });
  fireEvent.click(document.activeElement ?? lines);
  const box = await screen.findByRole("textbox", { name: "Comment on line 2" });
  expect(document.activeElement).toBe(box);
  fireEvent.keyDown(box, { key: "Escape" });
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Comment on line 2");
  expect(readComments("t1")).toEqual([]);
});

test("[W5] a comment is written, kept over a reload, edited and removed; what is half typed survives too", async () => {
  show();
  fireEvent.click(await button("Comment on removed line 2"));
  fireEvent.change(await screen.findByRole("textbox"), { target: { value: "Half typ" } });
  cleanup();
  show();
  const box = await screen.findByRole("textbox", { name: "Comment on removed line 2" });
  expect((box as HTMLTextAreaElement).value).toBe("Half typ");
  fireEvent.change(box, { target: { value: "Keep the second." } });
  fireEvent.click(await button(/^Keep/));
  const comment = screen.getByRole("article", { name: "Comment on removed line 2" });
  expect(comment.textContent).toContain("Keep the second.");
  expect(comment.textContent).toContain("goes into the follow-up");
  expect((await button(/^src\/a\.txt/)).textContent).toContain("1 comment");
  fireEvent.click(await button("Edit"));
  fireEvent.change(screen.getByRole("textbox"), { target: { value: "Keep both." } });
  fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
  expect(screen.getByRole("article").textContent).toContain("Keep both.");
  fireEvent.click(await button("Remove"));
  expect(screen.queryByRole("article")).toBeNull();
});

test("[W5] after a new session a comment is at its line's new place; one whose line is gone says so with the line as it was", async () => {
  show();
  for (const line of ["line 2", "line 3"]) {
    fireEvent.click(await button(`Comment on ${line}`));
    fireEvent.change(await screen.findByRole("textbox"), { target: { value: `About ${line}` } });
    fireEvent.click(await button(/^Keep/));
  }
  cleanup();
  files = [file({ patch: "@@ -1,3 +1,5 @@\n first();\n-second();\n+other();\n+\n+\n last();\n" })];
  show("s2");
  const moved = await screen.findByRole("article", { name: "Comment on line 5" });
  expect(moved.textContent).toContain("About line 3");
  const gone = screen.getByRole("article", { name: "Comment on line 2" });
  expect(gone.textContent).toContain("This line is not in the diff any more.");
  expect(gone.textContent).toContain("third();");
  cleanup();
  files = [];
  show("s3");
  expect(await screen.findAllByText(/This line is not in the diff any more/)).toHaveLength(2);
});
