/**
 * What a dispatch would do now, decided once and then put into words for a form, a menu and the empty column Waiting, so that
 * none of them can promise what another denies (P13). Pure. Held sessions stand before nobody and take no seat.
 */
import type { Hold } from "@/server/contract/common";
import type { PoolPicture } from "@/server/contract/pool";
import { until } from "../ui/time";
import { countsOf } from "./wording";

/** The reasons are those of P14, in its order. */
export type Outlook =
  | { readonly kind: "held"; readonly hold: Hold }
  | { readonly kind: "waits"; readonly reason: Obstacle; readonly position: number }
  | { readonly kind: "starts"; readonly freeSeats: number };

type Obstacle = "pool-starting" | "paused" | "disk" | "no-limit" | "your-limit" | "pool-limit";

/** `hold`: of the agent that would run, or of the project; null: of neither. */
export function outlookOf(pool: PoolPicture, meId: string, hold: Hold | null): Outlook {
  if (hold !== null) return { kind: "held", hold };
  const reason = obstacleOf(pool, meId);
  if (reason !== null) return { kind: "waits", reason, position: goFirst(pool, meId) + 1 };
  return { kind: "starts", freeSeats: pool.global.max - pool.global.running };
}

function obstacleOf(pool: PoolPicture, meId: string): Obstacle | null {
  const { running, max } = countsOf(pool, meId);
  if (!pool.isReady) return "pool-starting";
  if (pool.paused) return "paused";
  if (pool.isDiskShort) return "disk";
  if (max === 0) return "no-limit";
  if (running + goFirst(pool, meId) >= max) return "your-limit";
  return pool.global.running >= pool.global.max ? "pool-limit" : null;
}

/** How many of one's own line would be granted before a new session. */
function goFirst(pool: PoolPicture, meId: string): number {
  return countsOf(pool, meId).queued - (pool.held[meId] ?? 0);
}

/** In a form: `You 2/2: it would be position 4.`, `It would be held: Codex is not logged in.` */
export function wouldBe(pool: PoolPicture, meId: string, hold: Hold | null): string {
  const outlook = outlookOf(pool, meId, hold);
  if (outlook.kind === "held") return `It would be held: ${whyHeld(outlook.hold, pool)}`;
  const { running, max } = countsOf(pool, meId);
  const held = pool.held[meId] ?? 0;
  // The header counts them too ("You 0/2 +3").
  const you = `You ${running}/${max}${held === 0 ? "" : `, ${held} held`}`;
  if (outlook.kind === "starts") return `${you}: it would start at once.`;
  const place = `it would be position ${outlook.position}.`;
  switch (outlook.reason) {
    case "pool-starting":
      return `The pool is starting: ${place}`;
    case "paused":
      return `The pool is paused: ${place}`;
    case "disk":
      return `The server is short of disk: ${place}`;
    case "no-limit":
      return "Your limit is 0: it would wait until an administrator raises it.";
    case "your-limit":
      return `${you}: ${place}`;
    case "pool-limit":
      return `The pool is full ${pool.global.running}/${pool.global.max}: ${place}`;
    default:
      return outlook.reason satisfies never;
  }
}

/** In the empty column Waiting: `19 seats are free. A dispatch starts at once.`; `hold` is the project's. */
export function whatDispatchDoes(pool: PoolPicture, meId: string, hold: Hold | null): string {
  const outlook = outlookOf(pool, meId, hold);
  if (outlook.kind === "held") return `A dispatch is held here: ${whyHeld(outlook.hold, pool)}`;
  if (outlook.kind === "waits") return `${whyWaits(outlook.reason, pool, meId)} A dispatch waits here.`;
  const { freeSeats } = outlook;
  return `${freeSeats === 1 ? "1 seat is" : `${freeSeats} seats are`} free. A dispatch starts at once.`;
}

function whyWaits(reason: Obstacle, pool: PoolPicture, meId: string): string {
  const { running, max } = countsOf(pool, meId);
  switch (reason) {
    case "pool-starting":
      return "The pool is starting.";
    case "paused":
      return "The pool is paused.";
    case "disk":
      return "The server is short of disk.";
    case "no-limit":
      return "Your limit is 0.";
    case "your-limit": {
      if (running >= max) return `Your limit is ${running}/${max}.`;
      const first = goFirst(pool, meId);
      return `Your limit is ${max}: ${running} ${running === 1 ? "runs" : "run"}, ${first} ${first === 1 ? "goes" : "go"} first.`;
    }
    case "pool-limit":
      return "All seats are taken.";
    default:
      return reason satisfies never;
  }
}

/** On a drop target and in a menu: `position 4`, `starts at once`, `held`. */
export function wouldBePlace(pool: PoolPicture, meId: string, hold: Hold | null): string {
  const outlook = outlookOf(pool, meId, hold);
  if (outlook.kind === "waits") return `position ${outlook.position}`;
  return outlook.kind === "held" ? "held" : "starts at once";
}

/** A sentence, with its end where it does not name it. */
function whyHeld({ detail, until: end }: Hold, pool: PoolPicture): string {
  const sentence = detail.replace(/\.$/, "");
  return end === null || detail.includes("until")
    ? `${sentence}.`
    : `${sentence}, until ${until(end, Date.parse(pool.at))}.`;
}
