/** Draws the one open menu at the button it hangs on, with keyboard, and gives the focus back. */
import { DropdownMenu } from "radix-ui";
import type { CSSProperties } from "react";
import { focusBackTo } from "./focus-back";
import { Icon } from "./icon";
import { Kbd } from "./kbd";
import { type MenuEntry, menuSlot, type OpenMenu } from "./menu";
import { withoutDisguise } from "./written";

export function MenuView({ menu }: { menu: OpenMenu }) {
  const box = menu.anchor.getBoundingClientRect();
  const place: CSSProperties = {
    position: "fixed",
    // What it hangs on may be scrolled out of the window: the menu itself never is.
    left: within(box.left, globalThis.innerWidth - box.width),
    top: within(box.top, globalThis.innerHeight - box.height),
    width: box.width,
    height: box.height,
  };
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && menuSlot.close()}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" style={{ ...place, pointerEvents: "none" }} tabIndex={-1} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById("floats")}>
        <DropdownMenu.Content
          className="float menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={menu.label}
          aria-labelledby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusBackTo(menu.opener)();
          }}
          onInteractOutside={(event) => {
            // The button itself opens and closes; a press on it must not do both.
            if (event.target instanceof Node && menu.anchor.contains(event.target)) event.preventDefault();
          }}
        >
          {menu.entries.map((entry, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the entries of an open menu never change
            <Entry key={place} entry={entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function within(place: number, last: number): number {
  return Math.max(0, Math.min(place, last));
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.kind === "rule") return <DropdownMenu.Separator className="rule-h" />;
  if (entry.kind === "head") {
    return (
      <DropdownMenu.Label className="menu-head" dir="auto">
        {withoutDisguise(entry.text)}
      </DropdownMenu.Label>
    );
  }
  const isDisabled = typeof entry.why === "string";
  const inside = (
    <>
      {entry.isChosen ? (
        <Icon name="check" />
      ) : entry.icon === null ? (
        <span className="i" />
      ) : (
        <Icon name={entry.icon} />
      )}
      <span className="cut" dir="auto">
        {entry.label}
      </span>
      {entry.aside === undefined && entry.keys === undefined ? null : (
        <span className="keys" aria-hidden="true">
          {entry.aside}
          {entry.keys === undefined ? null : <Kbd>{entry.keys}</Kbd>}
        </span>
      )}
    </>
  );
  const common = {
    className: `menu-entry ${entry.isBad ? "bad" : ""}`,
    disabled: isDisabled,
    onSelect: entry.run,
    "aria-description": entry.why ?? undefined,
  };
  return (
    <>
      {entry.isChosen === undefined ? (
        <DropdownMenu.Item {...common}>{inside}</DropdownMenu.Item>
      ) : (
        <DropdownMenu.CheckboxItem {...common} checked={entry.isChosen}>
          {inside}
        </DropdownMenu.CheckboxItem>
      )}
      {isDisabled ? <div className="why">{entry.why}</div> : null}
    </>
  );
}
