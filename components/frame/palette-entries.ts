"use client";
/** What the palette offers (B4): what can be done with the card at hand, commands, places, projects, and every task. */
import { useRouter } from "next/navigation";
import { columnName } from "../board/card-actions";
import { addressOf } from "../board/card-link";
import { entriesFor, mainEntries } from "../board/card-menu";
import { arrange, type BoardCard, cardsOf } from "../board/columns";
import { type BoardFilter, MINE, NEEDS_ME, NO_FILTER, writeFilter } from "../board/filter";
import { changeFilter, openFilter } from "../board/use-filter";
import { useMenuHelp } from "../board/use-menu-help";
import { useBoard, usePool } from "../live/live-provider";
import { type Notice, pathOf } from "../notice/notices";
import { unseenSlot } from "../notice/unseen";
import { useMe } from "../people/use-people";
import { useCurrentProject, useProjects } from "../project/use-projects";
import { useTaskOpener } from "../task/open-task";
import type { MenuEntry } from "../ui/menu";
import { useSlot } from "../ui/slot";
import { inOwnOrder, inSentence } from "../ui/written";
import { useMainPlaces } from "./main-places";
import type { PaletteEntry } from "./palette-find";
import { newTaskSlot, sheetSlot } from "./places";

/** Other words for what a menu's entry does. */
const ALSO: Readonly<Record<string, string>> = {
  Dispatch: "run start",
  Retry: "dispatch run again",
  Withdraw: "cancel leave line",
  Stop: "cancel end",
};

/** `atHand`: the number of the task that had the focus, or that is open. */
export function usePaletteEntries(atHand: number | null): readonly PaletteEntry[] {
  const project = useCurrentProject();
  const board = useBoard(project?.id ?? "");
  const pool = usePool();
  const helpFor = useMenuHelp(project?.id ?? "");
  const places = usePlaces();
  const commands = useCommands(project?.id ?? null);
  const router = useRouter();
  const unseen = useSlot(unseenSlot) ?? [];
  const toTask = useGoToTask(project?.id ?? "");
  const cards = cardsOf(arrange(Object.values(board?.tasks ?? {}), pool));
  const here = cards.find(({ task }) => task.number === atHand);
  return [
    ...(here === undefined ? [] : ofCard(here, entriesFor(here, helpFor(here)).slice(1))),
    ...unseen.map((notice) => fromNotice(notice, () => router.push(pathOf(notice)))),
    ...commands,
    ...places,
    ...cards.map((card) => toTask(card)),
    ...cards
      .filter(({ task }) => task.number !== atHand)
      .flatMap((card) =>
        fromMenu("Actions", card, mainEntries(card, helpFor(card)), { hint: inOwnOrder(card.task.title) }).map(
          (entry) => ({ ...entry, isOnlyFound: true }),
        ),
      ),
  ];
}

/** Of the card at hand, whose title need not be said at each of them. */
function ofCard(card: BoardCard, entries: readonly MenuEntry[]): PaletteEntry[] {
  return fromMenu(`#${card.task.number}`, card, entries, {});
}

/** `usual`: what stands beside an entry that says nothing itself. */
function fromMenu(
  group: string,
  { task }: BoardCard,
  entries: readonly MenuEntry[],
  usual: Pick<PaletteEntry, "hint">,
): PaletteEntry[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "entry" || entry.why != null) return [];
    const { icon, label, run, hint } = entry;
    return {
      id: `${label} ${task.id}`,
      group,
      icon,
      label: `${label} · #${task.number}`,
      number: task.number,
      run,
      words: `${task.title} ${ALSO[label] ?? ""}`,
      ...(hint === undefined ? usual : { hint: inOwnOrder(hint) }),
    };
  });
}

function fromNotice({ id, head, text, number }: Notice, run: () => void): PaletteEntry {
  return { id, group: "Not seen yet", icon: "right", label: head, hint: text.split("\n")[0] ?? "", number, run };
}

function useGoToTask(projectId: string): (card: BoardCard) => PaletteEntry {
  const opener = useTaskOpener(projectId);
  const router = useRouter();
  const isBoard = useMainPlaces()[0]?.isHere === true;
  return ({ task, column }) => ({
    id: `go ${task.id}`,
    group: "Tasks",
    icon: "right",
    label: `#${task.number} ${inSentence(task.title)}`,
    hint: columnName(column),
    words: "go to open task",
    number: task.number,
    isOnlyFound: true,
    run: () => (isBoard ? opener.open(task.number) : router.push(addressOf(task))),
  });
}

function useCommands(projectId: string | null): PaletteEntry[] {
  const router = useRouter();
  const isBoard = useMainPlaces()[0]?.isHere === true;
  if (projectId === null) return [];
  const filter = (of: BoardFilter) => {
    if (isBoard) changeFilter(of);
    else router.push(`/projects/${projectId}${writeFilter(of, "")}`);
  };
  const command = (label: string, icon: PaletteEntry["icon"], run: () => void, words = ""): PaletteEntry => ({
    id: label,
    group: "Commands",
    icon,
    label,
    words,
    run,
  });
  return [
    command("New task", "plus", () => newTaskSlot.open(projectId), "create write add card"),
    command(
      "Filter cards",
      "filter",
      () => {
        openFilter();
        if (!isBoard) filter(NO_FILTER);
      },
      "search find",
    ),
    command("Show my cards", "filter", () => filter(MINE), "filter mine"),
    command("Show what needs me", "filter", () => filter(NEEDS_ME), "filter asking question answer"),
    command("Show all cards", "filter", () => filter(NO_FILTER), "filter clear"),
    command("Keyboard", "term", () => sheetSlot.open(true), "keys shortcuts help"),
  ];
}

function usePlaces(): PaletteEntry[] {
  const router = useRouter();
  const me = useMe();
  const project = useCurrentProject();
  const projects = useProjects() ?? [];
  const place = (href: string, label: string, group = "Go to"): PaletteEntry => ({
    id: href,
    group,
    icon: "right",
    label,
    words: "go to page open",
    run: () => router.push(href),
  });
  return [
    ...useMainPlaces().map(({ href, label }) => place(href, label)),
    ...(me === undefined ? [] : [place(`/people/${me.id}`, "Your profile")]),
    place("/account", "Account"),
    place("/settings", "Settings"),
    ...(project === null ? [] : [place(`/projects/${project.id}/settings`, "Project settings")]),
    place("/projects/new", "New project"),
    ...projects
      .filter(({ id }) => id !== project?.id)
      .map(({ id, name }) => place(`/projects/${id}`, inOwnOrder(name), "Projects")),
  ];
}
