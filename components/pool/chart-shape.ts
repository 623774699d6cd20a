/** Shapes of charts in a drawing of 1000 × 100 units that is stretched to the room there is. Pure. */

export const CHART_WIDTH = 1_000;
export const CHART_HEIGHT = 100;

/** One step of time, in units of the drawing; null: there is nothing to draw. */
export interface ChartStep {
  readonly from: number;
  readonly to: number;
  readonly value: number | null;
}

/** A round figure at which an axis may end, whose half is one as well. */
export function axisEnd(most: number): number {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 6, 8].find((times) => times * power >= most && times * power > 1) ?? 10) * power;
}

export function heightOf(value: number, end: number): number {
  return round((value / end) * CHART_HEIGHT);
}

/** A level line over each step, joined where steps follow each other. */
export function levelLine(steps: readonly ChartStep[], end: number): string {
  const runs = runsOf(steps, end).map((run) => `M${run[0]?.from} ${run[0]?.y}${levelsOf(run)}`);
  return runs.join("");
}

/** The same, closed down to the base line. */
export function levelArea(steps: readonly ChartStep[], end: number): string {
  const runs = runsOf(steps, end).map((run) => `M${run[0]?.from} ${CHART_HEIGHT}${levelsOf(run)}V${CHART_HEIGHT}Z`);
  return runs.join("");
}

/** A line through the middles of the steps, broken where there is nothing; a single one is a dot. */
export function middleLine(steps: readonly ChartStep[], end: number): string {
  const runs = runsOf(steps, end).map((run) => {
    const points = run.map(({ from, to, y }) => `${round((from + to) / 2)} ${y}`);
    return `M${points[0]}L${points.join("L")}`;
  });
  return runs.join("");
}

interface Drawn {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

function levelsOf(run: readonly Drawn[]): string {
  return run.map(({ to, y }) => `V${y}H${to}`).join("");
}

/** Steps that follow each other without a gap. */
function runsOf(steps: readonly ChartStep[], end: number): Drawn[][] {
  const runs: Drawn[][] = [];
  let before: Drawn | undefined;
  for (const { from, to, value } of steps) {
    if (value === null) {
      before = undefined;
      continue;
    }
    const drawn = { from: round(from), to: round(to), y: round(CHART_HEIGHT - heightOf(value, end)) };
    if (before?.to === drawn.from) runs.at(-1)?.push(drawn);
    else runs.push([drawn]);
    before = drawn;
  }
  return runs;
}

function round(units: number): number {
  return Math.round(units * 10) / 10;
}
