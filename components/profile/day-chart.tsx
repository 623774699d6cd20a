/** What is drawn per day, and its first and last day below. */
import type { ReactNode } from "react";
import { dayOf } from "../ui/time";

/** In units of the drawing, which is stretched to the room there is. */
export const CHART = { width: 420, height: 96 } as const;
/** Of a day's width: what a bar takes, and what is left on either side. */
const BAR = { width: 0.64, beside: 0.18 } as const;
const LEAST_HEIGHT = 2;

interface DayChartProps {
  /** The whole of it in words. */
  readonly label: string;
  /** Oldest first, up to today. */
  readonly days: readonly { readonly day: string }[];
  readonly children: ReactNode;
}

export function DayChart({ label, days: [first], children }: DayChartProps) {
  return (
    <>
      <svg
        className="chart"
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {children}
      </svg>
      <p className="chart-days" aria-hidden="true">
        <span>{first === undefined ? "" : dayOf(first.day)}</span>
        <span>today</span>
      </p>
    </>
  );
}

export interface DayBar {
  readonly day: string;
  readonly amount: number;
  readonly words: string;
}

export function DayBars({ label, bars }: { label: string; bars: readonly DayBar[] }) {
  const most = Math.max(1, ...bars.map(({ amount }) => amount));
  const step = CHART.width / Math.max(1, bars.length);
  return (
    <DayChart label={label} days={bars}>
      {bars.map(({ day, amount, words }, place) => {
        const height = amount === 0 ? 0 : Math.max(LEAST_HEIGHT, (amount / most) * CHART.height);
        return (
          <rect
            key={day}
            className="a"
            x={(place + BAR.beside) * step}
            y={CHART.height - height}
            width={step * BAR.width}
            height={height}
          >
            <title>{words}</title>
          </rect>
        );
      })}
    </DayChart>
  );
}
