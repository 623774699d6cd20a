import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepLetterKeys } from "./letter-keys";
import { newTaskSlot, paletteSlot, sheetSlot } from "./places";
import { Shortcuts } from "./shortcuts";

vi.mock("../project/use-projects", () => ({ useCurrentProject: () => ({ id: "p" }) }));

const opened = () => ({
  newTask: newTaskSlot.held(),
  sheet: sheetSlot.held() !== null,
  palette: paletteSlot.held() !== null,
});
const NOTHING = { newTask: null, sheet: false, palette: false };

beforeEach(() => {
  render(<Shortcuts />);
});
afterEach(() => {
  cleanup();
  for (const slot of [newTaskSlot, paletteSlot, sheetSlot]) slot.close();
  document.body.replaceChildren();
  localStorage.clear();
});

test.each([
  ["n", { ...NOTHING, newTask: "p" }],
  ["c", { ...NOTHING, newTask: "p" }],
  ["?", { ...NOTHING, sheet: true }],
])("[B4] %s opens what the sheet of keys says", (key, open) => {
  fireEvent.keyDown(document.body, { key });
  expect(opened()).toEqual(open);
});

test.each([{ ctrlKey: true }, { metaKey: true }])("[B4] the palette opens with %o and K", (modifier) => {
  fireEvent.keyDown(document.body, { key: "k", ...modifier });
  expect(opened()).toEqual({ ...NOTHING, palette: true });
});

test("[B4] what is typed before the palette is drawn is for its field, and no key of the page", () => {
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  for (const key of ["d", "o", "N", "?"]) fireEvent.keyDown(document.body, { key });
  expect(paletteSlot.held()).toBe("doN?");
  expect(opened()).toEqual({ ...NOTHING, palette: true });
});

test.each(["ctrlKey", "metaKey", "altKey"])("[B4] a letter with %s belongs to the browser", (modifier) => {
  for (const key of ["n", "c", "?"]) fireEvent.keyDown(document.body, { key, [modifier]: true });
  expect(opened()).toEqual(NOTHING);
});

test.each(["<input>", "<textarea></textarea>", "<select></select>", '<div role="dialog"><button></button></div>'])(
  "[B4] no letter acts in %s",
  (html) => {
    document.body.innerHTML = html;
    const field = document.body.querySelector("button") ?? document.body.firstElementChild;
    for (const key of ["n", "c", "?"]) fireEvent.keyDown(field ?? document.body, { key });
    expect(opened()).toEqual(NOTHING);
  },
);

test("[B4] switched off, letters do nothing, and the palette still opens", () => {
  keepLetterKeys(false);
  for (const key of ["n", "c", "?"]) fireEvent.keyDown(document.body, { key });
  expect(opened()).toEqual(NOTHING);
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  expect(opened().palette).toBe(true);
});
