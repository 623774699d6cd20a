import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Palette } from "./palette";
import type { PaletteEntry } from "./palette-find";
import { paletteSlot } from "./places";

const ran = vi.hoisted(() => vi.fn());
const held = vi.hoisted(() => ({ atHand: [] as (number | null)[] }));
vi.mock("../task/open-task", () => ({ useOpenTask: () => 7 }));
vi.mock("./palette-entries", () => ({
  usePaletteEntries: (atHand: number | null) => {
    held.atHand.push(atHand);
    return ["New task", "Pool", "People"].map(
      (label): PaletteEntry => ({ id: label, group: "Go to", icon: null, label, run: () => ran(label) }),
    );
  },
}));

afterEach(() => {
  cleanup();
  ran.mockClear();
  held.atHand = [];
  document.body.replaceChildren();
});

function open(): HTMLElement {
  paletteSlot.open("");
  render(<Palette first="" />);
  return screen.getByRole("combobox", { name: "Search or jump to" });
}
const chosen = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent;

test("[B4] the field keeps the focus and names the chosen entry; arrows go around, typing begins anew", () => {
  const field = open();
  expect(document.activeElement).toBe(field);
  const names = ["", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"].map((key) => {
    if (key !== "") fireEvent.keyDown(field, { key });
    return chosen(field)?.replace("Go to", "");
  });
  expect(names).toEqual(["New task", "Pool", "People", "New task", "People"]);
  fireEvent.change(field, { target: { value: "poo" } });
  expect(chosen(field)).toContain("Pool");
  expect(screen.getAllByRole("option")).toHaveLength(1);
});

test("[B4] Enter does what is chosen once the palette is closed and the focus is back", async () => {
  const button = document.body.appendChild(document.createElement("button"));
  button.focus();
  const field = open();
  fireEvent.keyDown(field, { key: "ArrowDown" });
  ran.mockImplementation(() => expect(document.activeElement).toBe(button));
  fireEvent.keyDown(field, { key: "Enter" });
  expect(paletteSlot.held()).toBeNull();
  cleanup();
  await vi.waitFor(() => expect(ran).toHaveBeenCalledWith("Pool"));
});

test("[B4] where nothing is called so, that is said, and Enter does nothing", () => {
  const field = open();
  fireEvent.change(field, { target: { value: "zzz" } });
  expect(screen.getByText("Nothing is called so.")).toBeTruthy();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(paletteSlot.held()).toBe("");
});

test("[B4] it is about the card that has the focus, else about the task that is open", () => {
  const card = document.body.appendChild(document.createElement("article"));
  card.dataset.taskNumber = "12";
  card.tabIndex = 0;
  card.focus();
  open();
  expect(held.atHand.at(-1)).toBe(12);
  cleanup();
  card.blur();
  open();
  expect(held.atHand.at(-1)).toBe(7);
});
