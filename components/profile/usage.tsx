/** How long somebody's sessions waited, and how long agents worked for them per day. */
import type { Profile } from "@/server/contract/people";
import { span } from "../ui/time";

export function Wait({ wait }: { wait: Profile["wait"] }) {
  return (
    <section className="panel panel-body" aria-labelledby="wait-head">
      <div className="figure">
        <h2 id="wait-head">Wait</h2>
        <span className="end faint">last 30 days</span>
      </div>
      {wait === null ? (
        <p className="dim">No session has started yet.</p>
      ) : (
        <dl className="figures-big">
          <div>
            <dt>half wait up to (p50)</dt>
            <dd>{span(wait.p50)}</dd>
          </div>
          <div>
            <dt>95 of 100 up to (p95)</dt>
            <dd>{span(wait.p95)}</dd>
          </div>
          <div>
            <dt>sessions</dt>
            <dd>{wait.sessions}</dd>
          </div>
        </dl>
      )}
    </section>
  );
}

const CHART = { width: 420, height: 112, left: 0, bars: 84 } as const;

export function AgentTime({ days }: { days: Profile["agentSeconds"] }) {
  const most = Math.max(1, ...days.map(({ seconds }) => seconds));
  const step = CHART.width / Math.max(1, days.length);
  const today = days.at(-1)?.seconds ?? 0;
  const first = days[0];
  return (
    <section className="panel panel-body" aria-labelledby="agent-time-head">
      <div className="figure">
        <h2 id="agent-time-head">Agent time</h2>
        <span className="end dim">
          <b>{span(today)}</b> today
        </span>
      </div>
      <svg
        className="chart"
        viewBox={`0 0 ${CHART.width} ${CHART.height}`}
        role="img"
        aria-label={`Agent time per day: ${days.map(({ day, seconds }) => `${day} ${span(seconds)}`).join(", ")}`}
      >
        {days.map(({ day, seconds }, place) => {
          const height = (seconds / most) * CHART.bars;
          return (
            <rect
              key={day}
              className="a"
              x={place * step + step * 0.18}
              y={8 + CHART.bars - height}
              width={step * 0.64}
              height={seconds === 0 ? 0 : Math.max(1.5, height)}
              rx={1.5}
            >
              <title>{`${dayOf(day)}: ${span(seconds)}`}</title>
            </rect>
          );
        })}
        <line className="base" x1={0} x2={CHART.width} y1={8 + CHART.bars} y2={8 + CHART.bars} />
        <text x={0} y={CHART.height - 2}>
          {first === undefined ? "" : dayOf(first.day)}
        </text>
        <text x={CHART.width} y={CHART.height - 2} textAnchor="end">
          today
        </text>
      </svg>
    </section>
  );
}

/** A day of the installation's calendar, whatever time zone the reader is in. */
function dayOf(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}
