"use client";
/**
 * Hosts for what floats: menus, questions, the new-task dialog, news. Their code is no part of the first load; it is
 * fetched soon after, or at once when something is opened earlier.
 */
import { useEffect, useState } from "react";
import { announceSlot } from "../ui/announce";
import { questionSlot } from "../ui/ask";
import { menuSlot } from "../ui/menu";
import { useOnDemand } from "../ui/on-demand";
import { useSlot } from "../ui/slot";
import { newTaskSlot, paletteSlot, sheetSlot } from "./places";

const loadMenu = async () => (await import("../ui/menu-view")).MenuView;
const loadAsk = async () => (await import("../ui/ask-view")).AskView;
const loadNewTask = async () => (await import("../board/new-task-dialog")).NewTaskDialog;
const loadSheet = async () => (await import("./shortcut-sheet")).ShortcutSheet;
const loadPalette = async () => (await import("./palette")).Palette;
const loadNotifier = async () => (await import("../notice/notifier")).Notifier;
const loadNews = async () => (await import("./news")).News;

/** How long after the page the rest is fetched. */
const SOON_MS = 1_200;

export function Floats() {
  const [isSoon, setSoon] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSoon(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  const menu = useSlot(menuSlot);
  const question = useSlot(questionSlot);
  const newTaskFor = useSlot(newTaskSlot);
  const sheet = useSlot(sheetSlot);
  const palette = useSlot(paletteSlot);
  const said = useSlot(announceSlot);
  const MenuView = useOnDemand(loadMenu, isSoon || menu !== null);
  const AskView = useOnDemand(loadAsk, isSoon || question !== null);
  const NewTaskDialog = useOnDemand(loadNewTask, isSoon || newTaskFor !== null);
  const ShortcutSheet = useOnDemand(loadSheet, sheet !== null);
  const Palette = useOnDemand(loadPalette, isSoon || palette !== null);
  const Notifier = useOnDemand(loadNotifier, isSoon);
  const News = useOnDemand(loadNews, isSoon);
  return (
    <aside aria-label="Menus and news" id="floats">
      {menu === null || MenuView === null ? null : <MenuView menu={menu} />}
      {question === null || AskView === null ? null : <AskView question={question} />}
      {newTaskFor === null || NewTaskDialog === null ? null : <NewTaskDialog projectId={newTaskFor} />}
      {sheet === null || ShortcutSheet === null ? null : <ShortcutSheet />}
      {palette === null || Palette === null ? null : <Palette first={palette} />}
      {Notifier === null ? null : <Notifier />}
      {News === null ? null : <News />}
      <div className="sr" role="status" aria-live="polite" data-testid="announcements">
        {said}
      </div>
    </aside>
  );
}
