/** Whether what people wrote fits: no page scrolls sideways, nothing covers what one presses, cards keep their height. */
import type { Page } from "@playwright/test";
import { reachesOut } from "./sideways";

/** Nothing when it fits; else what does not, in words. */
export async function misfits(page: Page): Promise<string[]> {
  return [...(await reachesOut(page)), ...(await covered(page))];
}

/** Controls that lie below something else, and cards that are not like the others. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const nameOf = (one: Element) => one.outerHTML.replace(/\s+/g, " ").slice(0, 140);
    const { clientWidth, clientHeight } = document.documentElement;

    /** What of it is on the screen: the rest is cut off by what it lies in. */
    const seenOf = (one: Element) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const seen = { left: Math.max(left, 0), top: Math.max(top, 0), right: 0, bottom: 0 };
      seen.right = Math.min(right, clientWidth);
      seen.bottom = Math.min(bottom, clientHeight);
      for (let outer = one.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflow === "visible") continue;
        const box = outer.getBoundingClientRect();
        seen.left = Math.max(seen.left, box.left);
        seen.top = Math.max(seen.top, box.top);
        seen.right = Math.min(seen.right, box.right);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
      return seen;
    };

    // What floats may cover what lies below it; within one layer nothing may.
    const layerOf = (one: Element) =>
      one.closest(
        "[role=dialog], [role=alertdialog], [role=menu], .over, .scrim, .dock, .col-head, header, aside, [popover]",
      );
    for (const one of document.querySelectorAll("button, a[href], input, select, textarea, [role=tab]")) {
      const seen = seenOf(one);
      const [x, y] = [(seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2];
      if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) continue;
      const hit = document.elementFromPoint(x, y);
      if (hit === null || one.contains(hit) || hit.contains(one)) continue;
      const label = one instanceof HTMLInputElement ? one.labels?.[0] : null;
      if (label?.contains(hit) || layerOf(hit) !== layerOf(one)) continue;
      found.push(`${nameOf(one)} is covered by ${nameOf(hit)}`);
    }

    const heights = new Set<number>();
    for (const card of document.querySelectorAll<HTMLElement>("article.card")) {
      const box = card.getBoundingClientRect();
      if (box.height === 0) continue;
      heights.add(Math.round(box.height));
      for (const part of card.children) {
        const { left, right, width } = part.getBoundingClientRect();
        if (width > 0 && (left < box.left - 1 || right > box.right + 1)) found.push(`${nameOf(part)} leaves its card`);
      }
    }
    if (heights.size > 1) found.push(`cards are ${[...heights].join(", ")} high`);
    return found;
  });
}

/** Controls that the dock of a phone covers however far one scrolls; nothing when all can be pressed. */
export function underDock(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const dock = document.querySelector(".dock")?.getBoundingClientRect();
    if (dock === undefined || dock.height === 0) return ["there is no dock on this page"];
    const found: string[] = [];
    for (const one of document.querySelectorAll("main :is(button, a[href], input, select, textarea, [role=tab])")) {
      const { width, height } = one.getBoundingClientRect();
      // What only readers of the screen see stands where its label stands.
      if (width < 2 || height < 2 || height > dock.top) continue;
      one.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { bottom } = one.getBoundingClientRect();
      if (bottom <= dock.top + 1) continue;
      found.push(
        `${one.outerHTML.replace(/\s+/g, " ").slice(0, 140)} ends at ${bottom}, the dock begins at ${dock.top}`,
      );
    }
    scrollTo({ top: 0, behavior: "instant" });
    return found;
  });
}
