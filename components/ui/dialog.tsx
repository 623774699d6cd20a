/** A dialog over the page: focus inside, Escape closes, the focus goes back to where it was. */
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { focusBackTo } from "./focus-back";
import { focusNow } from "./menu";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly close: () => void;
  readonly width?: number;
  /** Told to readers of the screen with the title; undefined when the content speaks for itself. */
  readonly isAlert?: boolean;
  /** The title is for readers of the screen only. */
  readonly isBare?: boolean;
  /** Done once it is closed and the focus is back. */
  readonly afterwards?: () => void;
}

export function Dialog({
  title,
  children,
  close,
  width = 420,
  isAlert = false,
  isBare = false,
  afterwards,
}: DialogProps) {
  const [focusBack] = useState(() => focusBackTo(focusNow()));
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className={`float dialog ${isBare ? "bare" : ""}`}
          style={{ width }}
          role={isAlert ? "alertdialog" : "dialog"}
          aria-describedby={isAlert ? "dialog-text" : undefined}
          onCloseAutoFocus={(event) => {
            // The library would look for a button of its own that opened it, which there is not.
            event.preventDefault();
            focusBack();
            afterwards?.();
          }}
        >
          <Radix.Title asChild>
            <h2 className={isBare ? "sr" : undefined}>{title}</h2>
          </Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
