/** How long somebody's sessions waited, and how long agents worked for them per day. */
import type { Profile } from "@/server/contract/people";
import { dayOf, span } from "../ui/time";

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

/** In units of the drawing, which is stretched to the room there is. */
const CHART = { width: 420, height: 96 } as const;

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
        preserveAspectRatio="none"
        role="img"
        aria-label={`Agent time per day: ${days.map(({ day, seconds }) => `${day} ${span(seconds)}`).join(", ")}`}
      >
        {days.map(({ day, seconds }, place) => {
          const height = seconds === 0 ? 0 : Math.max(2, (seconds / most) * CHART.height);
          return (
            <rect
              key={day}
              className="a"
              x={place * step + step * 0.18}
              y={CHART.height - height}
              width={step * 0.64}
              height={height}
            >
              <title>{`${dayOf(day)}: ${span(seconds)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="chart-days" aria-hidden="true">
        <span>{first === undefined ? "" : dayOf(first.day)}</span>
        <span>today</span>
      </p>
    </section>
  );
}
