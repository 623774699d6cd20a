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
        const { left, right } = outer.getBoundingClientRect();
        const isFrame = outer.matches(".panel, .card, [role=dialog], body") || /hidden|clip/.test(overflowX);
        if (isFrame && (box.left < left - 1 || box.right > right + 1)) {
          found.push(`${nameOf(one)} reaches out of ${nameOf(outer).slice(0, 60)}`);
          break;
        }
        if (position === "fixed" || /auto|scroll/.test(overflowX)) break;
      }
    }
    return found;
  }, size.width);
}
