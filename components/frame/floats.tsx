"use client";
/**
 * Hosts for what floats: menus, questions, the new-task dialog, news. Their code is no part of the first load; it is
 * fetched when the browser is idle, or at once when something is opened earlier.
 */
import { lazy, Suspense, useEffect, useState } from "react";
import { announceSlot } from "../ui/announce";
import { questionSlot } from "../ui/ask";
import { menuSlot } from "../ui/menu";
import { useSlot } from "../ui/slot";
import { newTaskSlot } from "./places";

const loadMenu = () => import("../ui/menu-view");
const loadAsk = () => import("../ui/ask-view");
const loadNewTask = () => import("../board/new-task-dialog");
const loadNews = () => import("./news");

const MenuView = lazy(async () => ({ default: (await loadMenu()).MenuView }));
const AskView = lazy(async () => ({ default: (await loadAsk()).AskView }));
const NewTaskDialog = lazy(async () => ({ default: (await loadNewTask()).NewTaskDialog }));
const News = lazy(async () => ({ default: (await loadNews()).News }));

/** How long after the page the rest is fetched when the browser cannot tell that it is idle. */
const IDLE_MS = 1_500;

export function Floats() {
  const menu = useSlot(menuSlot);
  const question = useSlot(questionSlot);
  const newTaskFor = useSlot(newTaskSlot);
  const said = useSlot(announceSlot);
  const [isIdle, setIdle] = useState(false);

  useEffect(() => {
    const fetchRest = () => {
      setIdle(true);
      void Promise.all([loadMenu(), loadAsk(), loadNewTask()]);
    };
    const timer = setTimeout(fetchRest, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <>
      <Suspense>{menu === null ? null : <MenuView menu={menu} />}</Suspense>
      <Suspense>{question === null ? null : <AskView question={question} />}</Suspense>
      <Suspense>{newTaskFor === null ? null : <NewTaskDialog projectId={newTaskFor} />}</Suspense>
      <Suspense>{isIdle ? <News /> : null}</Suspense>
      <div className="sr" role="status" aria-live="polite" data-testid="announcements">
        {said}
      </div>
    </>
  );
}
