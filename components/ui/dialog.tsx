/** A dialog over the page: focus inside, Escape closes, the focus goes back to where it was. */
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly close: () => void;
  readonly width?: number;
  /** Told to readers of the screen with the title; undefined when the content speaks for itself. */
  readonly isAlert?: boolean;
}

export function Dialog({ title, children, close, width = 420, isAlert = false }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          className="float dialog"
          style={{ width }}
          role={isAlert ? "alertdialog" : "dialog"}
          aria-describedby={isAlert ? "dialog-text" : undefined}
        >
          <Radix.Title asChild>
            <h2 dir="auto">{title}</h2>
          </Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
