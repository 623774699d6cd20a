"use client";
/** Tabs by the usual keys: arrows move and choose, Home and End go to the ends; only the chosen one is a tab stop. */
import type { KeyboardEvent, ReactNode } from "react";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: ReactNode;
}

interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly choose: (id: Id) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -100, End: 100 };

export function Tabs<Id extends string>({ tabs, chosen, choose }: TabsProps<Id>) {
  const pressed = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const place = tabs.findIndex(({ id }) => id === chosen) + step;
    const isAround = Math.abs(step) === 1;
    const next = isAround ? (place + tabs.length) % tabs.length : Math.min(Math.max(place, 0), tabs.length - 1);
    const tab = tabs[next];
    if (tab === undefined) return;
    choose(tab.id);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Task" onKeyDown={pressed}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === chosen}
          aria-controls={`pane-${id}`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => choose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

interface PaneProps {
  readonly id: string;
  readonly children: ReactNode;
  readonly isFilled?: boolean;
  /** Somebody reads or writes there. */
  readonly touched: () => void;
}

export function Pane({ id, children, isFilled = false, touched }: PaneProps) {
  return (
    <div
      className={isFilled ? "pane" : "pane scroll"}
      role="tabpanel"
      id={`pane-${id}`}
      aria-labelledby={`tab-${id}`}
      onPointerDown={touched}
      onKeyDown={touched}
      onWheel={touched}
    >
      {children}
    </div>
  );
}
