/** How long somebody's sessions waited, and how long agents worked for them per day. */
import type { Profile } from "@/server/contract/people";
import { dayOf, span } from "../ui/time";
import { CHART, DayBars, DayChart } from "./day-chart";

export function Wait({ wait, days }: { wait: Profile["wait"]; days: Profile["waitDays"] }) {
  return (
    <section className="panel panel-body" aria-labelledby="wait-head">
      <div className="figure">
        <h2 id="wait-head">Wait</h2>
        <span className="end dim">
          {wait === null ? null : (
            <>
              p50 <b>{span(wait.p50)}</b> · p95 <b>{span(wait.p95)}</b> ·{" "}
            </>
          )}
          last 30 days
        </span>
      </div>
      {wait === null ? <p className="dim">No session has started yet.</p> : <WaitChart days={days} />}
    </section>
  );
}

/** Per day a dot where half had waited, and a line up to where 95 of 100 had. */
function WaitChart({ days }: { days: Profile["waitDays"] }) {
  const most = Math.max(1, ...days.map(({ p95 }) => p95 ?? 0));
  const step = CHART.width / Math.max(1, days.length);
  // Room for half a dot at both ends.
  const at = (seconds: number) => CHART.height - 5 - (seconds / most) * (CHART.height - 10);
  return (
    <DayChart label={`Wait per day: ${days.map(waitWords).join("; ")}`} days={days}>
      {days.map((day, place) => {
        const { p50, p95 } = day;
        if (p50 === null || p95 === null) return null;
        const x = (place + 0.5) * step;
        return (
          <g key={day.day}>
            <title>{waitWords(day)}</title>
            <path className="span" d={`M${x} ${at(p50)}V${at(p95)}`} />
            <path className="dot" d={`M${x} ${at(p50)}h0`} />
          </g>
        );
      })}
    </DayChart>
  );
}

function waitWords({ day, p50, p95 }: Profile["waitDays"][number]): string {
  if (p50 === null || p95 === null) return `${dayOf(day)}: none`;
  return `${dayOf(day)}: half up to ${span(p50)}, 95 of 100 up to ${span(p95)}`;
}

export function AgentTime({ days }: { days: Profile["agentSeconds"] }) {
  const today = days.at(-1)?.seconds ?? 0;
  return (
    <section className="panel panel-body" aria-labelledby="agent-time-head">
      <div className="figure">
        <h2 id="agent-time-head">Agent time</h2>
        <span className="end dim">
          <b>{span(today)}</b> today
        </span>
      </div>
      <DayBars
        label={`Agent time per day: ${days.map(({ day, seconds }) => `${day} ${span(seconds)}`).join(", ")}`}
        bars={days.map(({ day, seconds }) => ({ day, amount: seconds, words: `${dayOf(day)}: ${span(seconds)}` }))}
      />
    </section>
  );
}
