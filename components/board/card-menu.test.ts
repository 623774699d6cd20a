import { expect, test, vi } from "vitest";
import type { Column } from "@/server/core/words";
import { menuSlot } from "../ui/menu";
import { entriesFor, type MenuHelp, openCardMenu } from "./card-menu";
import type { BoardCard } from "./columns";
import { dropOf } from "./drops";
import { sampleLive, sampleSession, sampleTask } from "./sample";

const STARTED = "2026-01-01T12:00:00.000Z";

function card(column: Column): BoardCard {
  const isLive = column === "waiting" || column === "running";
  const hasRun = column !== "backlog" && column !== "waiting";
  const live = isLive ? sampleLive({ status: column === "running" ? "running" : "queued" }) : null;
  const session = column === "backlog" ? null : sampleSession({ startedAt: hasRun ? STARTED : null });
  return { task: sampleTask({ column, session }), column, live, liveId: isLive ? "s1" : null };
}

const HELP: MenuHelp = {
  open: () => {},
  copyLink: () => {},
  place: null,
  base: "main",
  hasGitHub: false,
  isAdmin: false,
  agent: "Shell",
  elapsed: () => "0:04",
  line: null,
  shelf: null,
};

/** What the menu offers and can be chosen, a card in the middle of its list. */
function offered(column: Column): readonly string[] {
  const other = (id: string) => ({ ...card(column), task: sampleTask({ id, column }) });
  const list = [other("before"), card(column), other("behind")];
  const help: MenuHelp = {
    ...HELP,
    line: column === "waiting" ? ["s0", "s1", "s2"] : null,
    shelf: column === "backlog" ? { all: list, shown: list } : null,
  };
  return entriesFor(card(column), help).flatMap((entry) =>
    entry.kind === "entry" && (entry.why ?? null) === null ? [entry.label] : [],
  );
}

test.each([
  ["backlog", ["Dispatch", "Move up", "Move down", "To the top", "Move to Done"]],
  ["waiting", ["Withdraw", "Move up in my line", "Move down in my line", "Withdraw to Backlog", "Withdraw to Done"]],
  ["running", ["Stop", "Stop and move to Backlog", "Stop and move to Done"]],
  ["review", ["Retry", "Move to Backlog", "Move to Done"]],
  ["done", ["Move to Backlog", "Move to Review"]],
] as const)("[B3] from %s the menu does what dragging does", (column, labels) => {
  expect(offered(column)).toEqual(expect.arrayContaining([...labels]));
});

test("[W4] the menu of a card leads to the issue that it came from", () => {
  const issue = { repository: "acme/shop", number: 7, url: "https://github.com/acme/shop/issues/7" };
  const from = { ...card("backlog"), task: sampleTask({ issue }) };
  const opened = vi.fn();
  vi.stubGlobal("open", opened);
  const entry = entriesFor(from, HELP).find((one) => one.kind === "entry" && one.label === "Open issue #7 on GitHub");
  if (entry?.kind !== "entry") throw new Error("the menu has no such entry");
  entry.run();
  vi.unstubAllGlobals();
  expect(opened).toHaveBeenCalledExactlyOnceWith(issue.url, "_blank", "noopener,noreferrer");
});

test("[B3] wherever a drop does something, the menu has an entry for it, and the other way round", () => {
  const VERBS = { dispatch: /^(Dispatch|Retry)$/, order: /^Move up$/, "reorder-line": /^Move up in my line$/ } as const;
  const NAMES = { backlog: "Backlog", review: "Review", done: "Done" } as const;
  for (const from of ["backlog", "waiting", "running", "review", "done"] as const) {
    const labels = offered(from);
    for (const to of ["backlog", "waiting", "running", "review", "done"] as const) {
      const { kind } = dropOf(card(from), to, null, { meId: "nora", placeOf: () => null });
      const name = to === "waiting" || to === "running" ? null : NAMES[to];
      const entry = kind === "nothing" || kind === "move" ? new RegExp(`[Tt]o ${name}$`) : VERBS[kind];
      const has = labels.some((label) => entry.test(label));
      // Ending a session sends its card to Review by itself; the menu calls that stopping.
      if (from !== to && !(from === "running" && to === "review"))
        expect([from, to, has]).toEqual([from, to, kind !== "nothing"]);
    }
  }
});

test.each([
  ["backlog", { Open: "↵", Dispatch: "D", "Move up": "⇧ ↑", "Move down": "⇧ ↓" }],
  ["waiting", { Open: "↵", Withdraw: "X" }],
  ["running", { Open: "↵", Stop: "X" }],
  ["review", { Open: "↵", Retry: "D" }],
] as const)("[B4] the menu of a card in %s says which keys do the same", (column, keys) => {
  const list = [card(column)];
  openCardMenu(document.body, card(column), {
    ...HELP,
    shelf: column === "backlog" ? { all: list, shown: list } : null,
    pool: undefined,
    meId: undefined,
  });
  const said = (menuSlot.held()?.entries ?? []).flatMap((entry) =>
    entry.kind === "entry" && entry.keys !== undefined ? [[entry.label, entry.keys]] : [],
  );
  expect(Object.fromEntries(said)).toEqual(keys);
});
