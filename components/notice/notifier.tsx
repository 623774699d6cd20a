"use client";
/**
 * Tells of one's own sessions (B14) what `notices.ts` finds: the browser's notification, and a figure in the window's title
 * until it was seen. Lives on the pictures that the page has already. Draws nothing; fetched soon after the page.
 */
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { PoolPicture } from "@/server/contract/pool";
import { shownBoard } from "../board/shown-board";
import { usePool } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { useNoticesChoice } from "./choice";
import { keptFor } from "./kept";
import { noticeOf } from "./notice-words";
import { momentsOf, type Notice, type Place, pathOf } from "./notices";
import { NoticeTabs } from "./tabs";
import { useTitleFigure } from "./title-figure";
import { unseenSlot } from "./unseen";

export function Notifier() {
  const isWanted = useNoticesChoice();
  const meId = useMe()?.id;
  useEffect(() => {
    if (!isWanted && meId !== undefined) keptFor(meId).clear();
  }, [isWanted, meId]);
  return isWanted && meId !== undefined ? <Listening key={meId} meId={meId} /> : null;
}

function Listening({ meId }: { meId: string }) {
  const pool = usePool();
  const router = useRouter();
  const path = usePathname();
  const [tabs, setTabs] = useState<NoticeTabs | null>(null);
  const goTo = useRef((_: Notice) => {});
  useEffect(() => {
    goTo.current = (notice) => {
      router.push(pathOf(notice));
      tabs?.seen([notice.id]);
    };
  }, [router, tabs]);

  useEffect(() => {
    const made = new NoticeTabs({
      personId: meId,
      kept: keptFor(meId),
      placeNow,
      changed: (unseen) => unseenSlot.open(unseen),
      tell: (notice) => notify(notice, () => goTo.current(notice)),
      locks: globalThis.navigator.locks,
    });
    setTabs(made);
    const stop = watchFront(() => made.look());
    return () => {
      stop();
      made.close();
      unseenSlot.close();
    };
  }, [meId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another address may show what was not seen
  useEffect(() => tabs?.look(), [tabs, path]);

  const before = useRef<PoolPicture | null>(null);
  useEffect(() => {
    const held = before.current;
    before.current = pool ?? held;
    if (held === null || pool === undefined || tabs?.isTeller !== true) return;
    for (const moment of momentsOf(held, pool, meId)) {
      noticeOf(moment, meId).then(
        (notice) => notice !== null && tabs.add(notice),
        () => {
          // Its project is no longer one's own, or the server is away: there is nothing that could be said.
        },
      );
    }
  }, [pool, meId, tabs]);
  useTitleFigure();
  return null;
}

function placeNow(): Place | null {
  if (document.visibilityState !== "visible" || !document.hasFocus()) return null;
  return { boardOf: shownBoard.held()?.projectId ?? null, path: globalThis.location.pathname };
}

function watchFront(changed: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  globalThis.addEventListener("focus", changed, { signal });
  globalThis.addEventListener("blur", changed, { signal });
  document.addEventListener("visibilitychange", changed, { signal });
  let shown = shownBoard.held()?.projectId;
  const forget = shownBoard.subscribe(() => {
    const next = shownBoard.held()?.projectId;
    if (next !== shown) changed();
    shown = next;
  });
  return () => {
    stop.abort();
    forget();
  };
}

/** Only where the browser was asked and said yes; the figure in the title needs no leave. */
function notify({ id, head, text }: Notice, open: () => void): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(head, { body: text, tag: id, icon: "/icon.svg" });
    shown.onclick = () => {
      globalThis.focus();
      open();
      shown.close();
    };
  } catch {
    // Browsers of phones want them from a program of their own; the figure in the title is there all the same.
  }
}
