/** `bench/forecast.ts` as figures: how often sessions started no later than they were told (P15). */
import type { Figure, Measure } from "./figures";
import { measureForecast as forecast } from "./forecast";

const SEED = 1;

export const measureForecast: Measure = async () => {
  const { coverage, dispatched, usual, crowd } = forecast(SEED);
  const kept = coverage.flatMap(({ told, sessions, byP50, byP80, aloneByP50, aloneByP80 }): Figure[] => {
    const note = `of ${sessions} told so; had nobody dispatched more ${aloneByP50.toFixed(0)} % and ${aloneByP80.toFixed(0)} %`;
    if (sessions === 0) return [];
    return [
      { what: `told to start in ${told}: started by the p50`, value: byP50, unit: "%" },
      { what: `told to start in ${told}: started by the p80`, value: byP80, unit: "%", note },
    ];
  });
  const work = (what: string, { meanMs, longestStepMs }: typeof usual): Figure => ({
    what,
    value: meanMs,
    unit: "ms",
    note: `processor time; longest step ${longestStepMs.toFixed(1)} ms`,
  });
  return [
    ...kept,
    work(`one forecast, over ${dispatched.toLocaleString("en")} dispatches`, usual),
    work("one forecast with 10,000 waiting", crowd),
  ];
};
