/** What `npm run bench` measures, in the order in which it does. */
import { measureBoard } from "./board";
import { measureBoot } from "./boot";
import { measureDispatch } from "./dispatch";
import type { Measure } from "./figures";
import { measureForecast } from "./foreseen";
import { measureFreedSlot } from "./freed-slot";
import { measureFullLoad } from "./full-load";
import { measureGrantCost } from "./grant-cost";
import { measurePeers } from "./peers";
import { measureSize } from "./size";
import { measureSnapshot } from "./snapshot";
import { measureStart } from "./start";
import { measureWorkspace } from "./workspace";

export interface Measurement {
  readonly name: string;
  readonly measure: Measure;
  /** What has to be there first, beside the packages. */
  readonly needs?: "peers" | "browser";
}

export const MEASUREMENTS: readonly Measurement[] = [
  { name: "dispatch", measure: measureDispatch },
  { name: "peers", measure: measurePeers, needs: "peers" },
  { name: "freed-slot", measure: measureFreedSlot },
  { name: "boot", measure: measureBoot },
  { name: "grant-cost", measure: measureGrantCost },
  { name: "snapshot", measure: measureSnapshot },
  { name: "full-load", measure: measureFullLoad },
  { name: "workspace", measure: measureWorkspace },
  { name: "board", measure: measureBoard, needs: "browser" },
  { name: "start", measure: measureStart },
  { name: "size", measure: measureSize },
  { name: "forecast", measure: measureForecast },
];
