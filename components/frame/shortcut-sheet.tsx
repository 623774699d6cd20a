"use client";
/** Every key that does something, in one sheet (B4). Fetched when it is asked for. */
import Link from "next/link";
import type { ReactNode } from "react";
import { Dialog } from "../ui/dialog";
import { commandKey } from "../ui/kbd";
import { hasLetterKeys } from "./letter-keys";
import { sheetSlot } from "./places";

interface Keys {
  /** Each of them does it. */
  readonly keys: readonly string[];
  readonly what: string;
}

const EVERYWHERE: readonly Keys[] = [
  { keys: ["C", "N"], what: "New task" },
  { keys: ["?"], what: "This sheet" },
  { keys: ["Esc"], what: "Close what is open" },
];
const ON_THE_BOARD: readonly Keys[] = [
  { keys: ["J", "K"], what: "Next card, card before" },
  { keys: ["H", "L"], what: "Column to the left, to the right" },
  { keys: ["Home", "End"], what: "First and last card of the column" },
  { keys: ["/"], what: "Filter the cards" },
];
const ON_A_CARD: readonly Keys[] = [
  { keys: ["↵"], what: "Open" },
  { keys: ["↑", "↓", "←", "→"], what: "To the next card" },
  { keys: ["D"], what: "Dispatch, or retry" },
  { keys: ["X"], what: "Withdraw from the line, or stop (asks first)" },
  { keys: ["E"], what: "Change the prompt" },
  { keys: ["⇧ ↑", "⇧ ↓"], what: "Move up or down in Backlog, or in your own line" },
  { keys: ["M"], what: "Menu with everything else: Done, Review, Backlog, delete" },
];

export function ShortcutSheet() {
  return (
    <Dialog title="Keyboard" close={sheetSlot.close} width={520}>
      <div className="key-sheet">
        <Group
          head="Everywhere"
          of={[{ keys: [commandKey("K")], what: "Search, go to, or do something" }, ...EVERYWHERE]}
        />
        <Group head="On the board" of={ON_THE_BOARD} />
        <Group head="On a card in focus, or beside it in its task" of={ON_A_CARD} />
      </div>
      <p className="hint mt-4">
        {hasLetterKeys()
          ? "Keys of one letter can be switched off on the "
          : "Keys of one letter are switched off on the "}
        <Link href="/account" onClick={() => sheetSlot.close()} className="underline">
          account page
        </Link>
        .
      </p>
    </Dialog>
  );
}

function Group({ head, of }: { head: string; of: readonly Keys[] }): ReactNode {
  return (
    <section>
      <h3>{head}</h3>
      <dl>
        {of.map(({ keys, what }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
