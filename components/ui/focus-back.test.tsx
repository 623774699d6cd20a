import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Question, questionSlot } from "./ask";
import { AskView } from "./ask-view";
import { menuSlot, openMenu } from "./menu";
import { MenuView } from "./menu-view";
import { useSlot } from "./slot";

function Floats() {
  const menu = useSlot(menuSlot);
  const question = useSlot(questionSlot);
  return (
    <div id="floats">
      {menu === null ? null : <MenuView menu={menu} />}
      {question === null ? null : <AskView question={question} />}
    </div>
  );
}

function Page({ hasButton = true }: { hasButton?: boolean }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as cards are */}
      <article data-task-id="t1" aria-label="Card" tabIndex={0}>
        {hasButton ? <button type="button">More</button> : null}
      </article>
      <Floats />
    </>
  );
}

const question: Question = { title: "Stop #5?", text: "It ends.", yes: "Stop", no: "Keep", answer: () => {} };
const stop = {
  kind: "entry",
  icon: null,
  label: "Stop",
  keys: "X",
  run: () => questionSlot.open(question),
} as const;
const card = () => screen.getByRole("article", { name: "Card" });
const button = () => screen.getByRole("button", { name: "More", hidden: true });
const focused = () => document.activeElement;

/** As in the stylesheet: the card shows its buttons, which take the focus only then, while it has the focus itself. */
function hideWithoutFocus(): void {
  const own = button();
  own.focus = () => {
    if (card().contains(focused())) HTMLElement.prototype.focus.call(own);
  };
}

beforeEach(() => {
  render(<Page />);
});
afterEach(() => {
  menuSlot.close();
  questionSlot.close();
  cleanup();
});

test("[B4] a menu closed by Escape gives the focus back to a button that only the card's focus makes visible", async () => {
  hideWithoutFocus();
  openMenu(button(), "Task #5", [{ kind: "entry", icon: null, label: "Open", run: () => {} }]);
  const menu = await screen.findByRole("menu");
  await waitFor(() => expect(menu.contains(focused())).toBe(true));
  fireEvent.keyDown(menu, { key: "Escape" });
  await waitFor(() => expect(focused()).toBe(button()));
});

test("[B4] a question asked from a card's menu gives the focus back to the menu's button", async () => {
  hideWithoutFocus();
  openMenu(button(), "Task #5", [{ kind: "entry", icon: null, label: "Stop", run: () => questionSlot.open(question) }]);
  const entry = await screen.findByRole("menuitem", { name: "Stop" });
  entry.focus();
  fireEvent.click(entry);
  const dialog = await screen.findByRole("alertdialog");
  await waitFor(() => expect(dialog.contains(focused())).toBe(true));
  fireEvent.keyDown(dialog, { key: "Escape" });
  await waitFor(() => expect(focused()).toBe(button()));
});

test("[B4] a menu opened by a key on the card gives the focus back to the card, and so does a question asked from it", async () => {
  card().focus();
  openMenu(button(), "Task #5", [stop]);
  const menu = await screen.findByRole("menu");
  await waitFor(() => expect(menu.contains(focused())).toBe(true));
  fireEvent.keyDown(menu, { key: "Escape" });
  await waitFor(() => expect(focused()).toBe(card()));

  openMenu(button(), "Task #5", [stop]);
  const entry = await screen.findByRole("menuitem", { name: "Stop" });
  expect(entry.textContent).toBe("StopX");
  entry.focus();
  fireEvent.click(entry);
  const dialog = await screen.findByRole("alertdialog");
  await waitFor(() => expect(dialog.contains(focused())).toBe(true));
  fireEvent.keyDown(dialog, { key: "Escape" });
  await waitFor(() => expect(focused()).toBe(card()));
});

test("[B4] where the button has gone meanwhile, its card takes the focus", async () => {
  cleanup();
  const { rerender } = render(<Page />);
  button().focus();
  questionSlot.open(question);
  const dialog = await screen.findByRole("alertdialog");
  await waitFor(() => expect(dialog.contains(focused())).toBe(true));
  rerender(<Page hasButton={false} />);
  fireEvent.keyDown(dialog, { key: "Escape" });
  await waitFor(() => expect(focused()).toBe(card()));
});
