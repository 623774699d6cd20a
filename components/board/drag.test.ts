import { afterEach, expect, test } from "vitest";
import { followPress } from "./drag";
import { sampleTask } from "./sample";

let opened = 0;
let dropped = 0;

afterEach(() => {
  document.body.replaceChildren();
  opened = 0;
  dropped = 0;
});

/** A board with one card that is clicked to be opened, with the button down on it. */
function press(): HTMLElement {
  document.body.innerHTML = `<div id="board"><div class="col" data-column="backlog"><a data-task-id="t1">Card</a></div></div>`;
  const [board, card] = [document.querySelector("#board"), document.querySelector("[data-task-id]")];
  if (!(board instanceof HTMLElement) || !(card instanceof HTMLElement)) throw new Error("no board");
  card.addEventListener("click", () => {
    opened += 1;
  });
  card.addEventListener("pointerdown", (event) =>
    followPress(event, board, {
      cardOf: () => ({ task: sampleTask(), column: "backlog", live: null, liveId: null }),
      dropOf: () => ({ kind: "order", before: null }),
      drop: () => {
        dropped += 1;
      },
    }),
  );
  card.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, clientX: 10, clientY: 10 }));
  return card;
}

function move(to: number): void {
  document.dispatchEvent(new PointerEvent("pointermove", { clientX: to, clientY: to }));
}

function release(card: HTMLElement): void {
  card.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  card.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}

const isDragging = () => document.querySelector(".drag-copy") !== null;

test("[B3] a press that does not move is a click", () => {
  const card = press();
  move(12);
  expect(isDragging()).toBe(false);
  release(card);
  expect([opened, dropped]).toEqual([1, 0]);
});

test("[B3] a drag's release is no click", () => {
  const card = press();
  move(60);
  expect(isDragging()).toBe(true);
  release(card);
  expect([opened, isDragging()]).toEqual([0, false]);
});

test("[B3] Escape lets go of the card, and the release after it neither drops nor opens it", () => {
  const card = press();
  move(60);
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  expect(isDragging()).toBe(false);
  move(90);
  expect(isDragging()).toBe(false);
  release(card);
  expect([opened, dropped]).toEqual([0, 0]);
});
