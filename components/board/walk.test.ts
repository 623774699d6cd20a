import { afterEach, expect, test, vi } from "vitest";
import { goFrom } from "./walk";

afterEach(() => document.body.replaceChildren());

/** A column that draws two cards at first, and two more with each press of its button. */
function longColumn(count: number): (number: number) => HTMLElement {
  const board = document.body.appendChild(document.createElement("div"));
  board.className = "board";
  const column = board.appendChild(document.createElement("section"));
  column.dataset.column = "backlog";
  const cards = column.appendChild(document.createElement("div"));
  const more = column.appendChild(document.createElement("button"));
  more.className = "more";
  const draw = () => {
    for (let n = 0; n < 2; n++) {
      const card = cards.appendChild(document.createElement("article"));
      card.dataset.column = "backlog";
      card.tabIndex = 0;
      card.id = `c${cards.children.length}`;
    }
    if (cards.children.length >= count) more.remove();
  };
  more.addEventListener("click", draw);
  draw();
  return (number) => document.getElementById(`c${number}`) as HTMLElement;
}

test("[B4] the last card of a long column is the last of all, also where most of them are not drawn yet", async () => {
  const card = longColumn(8);
  card(1).focus();
  goFrom(card(1), "last", () => {});
  await vi.waitFor(() => expect(document.activeElement?.id).toBe("c8"));
});

test("[B4] whoever walks down past the drawn cards gets the next ones", async () => {
  const card = longColumn(4);
  card(2).focus();
  goFrom(card(2), "down", () => {});
  await vi.waitFor(() => expect(document.activeElement?.id).toBe("c3"));
});
