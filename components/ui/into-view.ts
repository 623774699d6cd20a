/**
 * Scrolls so far that something is wholly to be seen, below what sticks at the top (its own `scroll-margin`). Up and down only:
 * the board moves aside by itself.
 */
export function bringIntoView(element: HTMLElement): void {
  const scroller = scrollerOf(element);
  const frame = scroller?.getBoundingClientRect() ?? { top: 0, bottom: globalThis.innerHeight };
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  const above = top - frame.top - lengthOf(scrollMarginTop);
  const below = bottom - frame.bottom + lengthOf(scrollMarginBottom);
  const way = above < 0 ? above : Math.min(above, Math.max(0, below));
  if (way !== 0) (scroller ?? globalThis).scrollBy(0, way);
}

/** What an element is scrolled in now; null: the window. */
export function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    const isScrolled = around.scrollHeight > around.clientHeight && around !== document.documentElement;
    if (isScrolled && /auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return null;
}

/** Pixels; `auto` is none. */
function lengthOf(style: string): number {
  return Number.parseFloat(style) || 0;
}
