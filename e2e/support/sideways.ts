/** Whether everything is within the window's width. Its own room, as two kinds of looks ask for it. */
import type { Page } from "@playwright/test";

/**
 * Nothing when it is; else what reaches out of the window, out of its card, or is cut off there. Measured by the width that
 * was set: what is too wide makes a phone's own widths larger.
 */
export function reachesOut(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  if (size === null) throw new Error("This page has no width of its own to be measured by.");
  return page.evaluate((width) => {
    const nameOf = (one: Element) => one.outerHTML.replace(/\s+/g, " ").slice(0, 140);
    const found: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > width || innerWidth > width) {
      const first = [...document.querySelectorAll("main *, body *")].find(
        (one) => one.getBoundingClientRect().right > width + 1 && getComputedStyle(one).position !== "fixed",
      );
      found.push(
        `the page is ${Math.max(scrollWidth, innerWidth)} wide and the window ${width}, first ${first ? nameOf(first) : "nothing"}`,
      );
    }
    for (const one of document.querySelectorAll("button, input, select, textarea, a.btn, .field")) {
      const box = one.getBoundingClientRect();
      // What only readers of the screen see is one pixel wide.
      if (box.width < 2 || !one.checkVisibility()) continue;
      for (let outer = one.parentElement; outer !== null; outer = outer.parentElement) {
        const { overflowX, position } = getComputedStyle(outer);
        if (overflowX === "auto" || overflowX === "scroll" || position === "fixed") break;
        if (overflowX === "visible" && !outer.matches(".panel, .card, body")) continue;
        const { left, right } = outer.getBoundingClientRect();
        if (box.left >= left - 1 && box.right <= right + 1) continue;
        found.push(`${nameOf(one)} reaches out of ${nameOf(outer).slice(0, 60)}`);
        break;
      }
    }
    return found;
  }, size.width);
}
