/** Cards by the mouse, step by step, so that something may happen while one is held. */
import { expect, type Locator, type Page } from "@playwright/test";

async function placeOf(card: Locator) {
  const box = await card.boundingBox();
  if (box === null) throw new Error("It is not on the screen.");
  // Left of the buttons that a card shows under the pointer.
  return { x: box.x + 30, top: box.y + 12, bottom: box.y + box.height + 4 };
}

export function isHeld(page: Page): Promise<boolean> {
  return page.evaluate(() => document.body.classList.contains("is-dragging"));
}

/** The code for dragging comes soon after the page; until then a press opens the card, and the board moves aside. */
export async function take(page: Page, card: Locator): Promise<void> {
  await expect(async () => {
    const { x, top } = await placeOf(card);
    await page.mouse.move(x, top);
    await page.mouse.down();
    await page.mouse.move(x + 12, top + 12, { steps: 3 });
    const isDragged = await isHeld(page);
    if (!isDragged) {
      await page.mouse.up();
      await page.keyboard.press("Escape");
    }
    expect(isDragged).toBe(true);
  }).toPass();
}

/** Holds it right below another card, or at the top of a column; the sign tells what a drop would do. */
export async function hold(
  page: Page,
  where: { readonly below: Locator } | { readonly in: Locator },
): Promise<Locator> {
  const to = await placeOf("below" in where ? where.below : where.in);
  await page.mouse.move(to.x, "below" in where ? to.bottom : to.top + 80, { steps: 5 });
  const sign = page.locator(".drop-sign");
  await expect(sign).toBeVisible();
  return sign;
}
