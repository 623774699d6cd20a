import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { keepLetterKeys } from "../frame/letter-keys";
import { paletteSlot } from "../frame/places";
import { LiveProvider } from "../live/live-provider";
import { editWish } from "../task/edit-wish";
import { announceSlot } from "../ui/announce";
import { questionSlot } from "../ui/ask";
import { BoardKeys } from "./board-keys";
import { arrange, cardsOf } from "./columns";
import { sampleLive, samplePool, sampleTask } from "./sample";
import { shownBoard } from "./shown-board";
import { filterSlot } from "./use-filter";

const push = vi.hoisted(() => vi.fn());
const calls = vi.hoisted(() => ({ asked: [] as string[] }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ push, replace: push }), useParams: () => ({ project: "p" }) }));

const me = {
  id: "nora",
  name: "Nora",
  email: "n@example.test",
  role: "member",
  running: 1,
  queued: 1,
  max: 2,
} as const;
const pool = samplePool({
  sessions: {
    s3: sampleLive({ taskId: "t3" }),
    s4: sampleLive({ taskId: "t4", status: "running", phase: "working", position: 0, startedAt: samplePool().at }),
  },
});
const tasks = [1, 2, 3, 4].map((number) => sampleTask({ id: `t${number}`, number, orderKey: String(number) }));

beforeEach(() => {
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method !== "GET") calls.asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response('{"items":[],"next":null}', { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  for (const slot of [shownBoard, filterSlot, announceSlot, questionSlot, editWish]) slot.close();
  calls.asked = [];
  push.mockClear();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** The board as far as keys see it: cards 1 and 2 in Backlog, 3 waits, 4 runs; 2 is open beside it. */
function board(openNumber: number | null = null): (number: number) => HTMLElement {
  const columns = arrange(tasks, pool);
  shownBoard.open({ projectId: "p", columns, shown: columns });
  const { container } = render(
    <LiveProvider isSignedIn={false} first={{ me, projects: [], pool }} moment={0} routes={contract}>
      <div className="board">
        {cardsOf(columns).map(({ task, column }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: as the card
          <article key={task.id} tabIndex={0} data-task-id={task.id} data-column={column} id={`c${task.number}`}>
            <input />
            <button type="button">More</button>
          </article>
        ))}
      </div>
      <section className="over" tabIndex={-1} id="panel" />
      <BoardKeys projectId="p" openNumber={openNumber} pick={() => {}} />
    </LiveProvider>,
  );
  return (number) => container.querySelector<HTMLElement>(`#c${number}`) as HTMLElement;
}

function press(key: string, more: KeyboardEventInit = {}): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
}
const focused = () => document.activeElement?.id;

test("[B4] letters and arrows go from card to card, within a column and to the nearest one that has cards", () => {
  board();
  const walk = ["j", "j", "j", "k", "ArrowDown", "l", "l", "l", "h", "ArrowLeft", "End", "Home"].map((key) => {
    press(key);
    return focused();
  });
  expect(walk).toEqual(["c1", "c2", "c2", "c1", "c2", "c3", "c4", "c4", "c3", "c1", "c2", "c1"]);
});

test("[B4] from a card's own button letters go on to the next card, and arrows stay with the page", () => {
  const card = board()(1);
  card.querySelector("button")?.focus();
  press("ArrowDown");
  expect(focused()).toBe("");
  press("j");
  expect(focused()).toBe("c2");
});

test("[B4] arrows scroll the page as long as no card has the focus", () => {
  board();
  press("ArrowDown");
  expect(focused()).not.toBe("c1");
});

test.each([
  ["d", 1, "POST /api/v1/tasks/t1/dispatch"],
  ["x", 3, "POST /api/v1/sessions/s3/cancel"],
  ["J", 1, "POST /api/v1/tasks/t1/move"],
] as const)("[B4][B3] %s on #%i asks the server", async (key, number, call) => {
  board()(number).focus();
  press(key, { shiftKey: key === key.toUpperCase() });
  await vi.waitFor(() => expect(calls.asked).toEqual([call]));
});

test("[B4][B3] x on what runs asks first", () => {
  board()(4).focus();
  press("x");
  expect(questionSlot.held()?.title).toBe("Stop #4?");
  // Its name is still on the way.
  expect(questionSlot.held()?.text).toMatch(/^The agent has been running for /);
  expect(calls.asked).toEqual([]);
});

test("[B4] what cannot be done where the card stands is said, and nothing is asked", () => {
  board()(4).focus();
  press("d");
  expect(announceSlot.held()).toContain("#4");
  press("ArrowUp", { shiftKey: true });
  expect(announceSlot.held()).toBe("#4: only Backlog and your own line are ordered.");
  expect(calls.asked).toEqual([]);
});

test("[B4] e opens the task to change its prompt; / opens the filter", () => {
  board()(1).focus();
  press("e");
  expect(editWish.held()).toBe(1);
  expect(push).toHaveBeenCalledWith("/projects/p/tasks/1");
  press("/");
  expect(filterSlot.held()).not.toBeNull();
});

test("[B4] beside the board the keys are about the task that is open", async () => {
  board(2);
  document.querySelector<HTMLElement>("#panel")?.focus();
  press("d");
  await vi.waitFor(() => expect(calls.asked).toEqual(["POST /api/v1/tasks/t2/dispatch"]));
});

test("[B4] no key acts while somebody types, with a modifier of the browser, or without a card in focus", () => {
  const card = board()(1);
  const acts = ["d", "x", "e", "j", "/", "m"];
  card.querySelector("input")?.focus();
  for (const key of acts) press(key);
  card.focus();
  for (const modifier of ["ctrlKey", "metaKey", "altKey"]) for (const key of acts) press(key, { [modifier]: true });
  expect(focused()).toBe("c1");
  card.blur();
  for (const key of ["d", "x", "e"]) press(key);
  expect([calls.asked, editWish.held(), filterSlot.held()]).toEqual([[], null, null]);
});

test("[B4] no letter acts on a card while the palette that was opened is not drawn yet", () => {
  const card = board();
  card(4).focus();
  paletteSlot.open("");
  for (const key of ["x", "d", "j"]) press(key);
  expect(questionSlot.held()).toBeNull();
  expect(calls.asked).toEqual([]);
  expect(focused()).toBe("c4");
  paletteSlot.close();
  press("x");
  expect(questionSlot.held()).not.toBeNull();
});

test("[B4] switched off, letters do nothing, and arrows still go from card to card", () => {
  keepLetterKeys(false);
  board()(1).focus();
  for (const key of ["d", "e", "j", "/"]) press(key);
  expect([calls.asked, editWish.held(), filterSlot.held(), focused()]).toEqual([[], null, null, "c1"]);
  press("ArrowDown");
  expect(focused()).toBe("c2");
});
