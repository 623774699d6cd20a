/** Times as the design writes them. Pure; `now` is the server's time and nothing is ever negative. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function secondsBetween(from: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(from)) / 1000));
}

/** A running clock: `0:04`, `14:32`, `1:14:09`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (figure: number) => String(figure).padStart(2, "0");
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  if (whole < HOUR) return `${minutes}:${two(whole % MINUTE)}`;
  return `${Math.floor(whole / HOUR)}:${two(minutes)}:${two(whole % MINUTE)}`;
}

/** How old something is: `now`, `8 min`, `3 h`, `yesterday`, `2 d`. */
export function age(seconds: number): string {
  if (seconds < MINUTE) return "now";
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h`;
  if (seconds < 2 * DAY) return "yesterday";
  return `${Math.floor(seconds / DAY)} d`;
}

/** How long something took: `4 s`, `12 min`, `2 h 5 min`. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.round(whole / MINUTE)} min`;
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  return minutes === 0 ? `${Math.floor(whole / HOUR)} h` : `${Math.floor(whole / HOUR)} h ${minutes} min`;
}

/** How long something has lasted, in whole units that have passed: `40 s`, `6 min`, `2 h 5 min`. */
export function wholeSpan(seconds: number): string {
  return seconds < MINUTE ? span(Math.floor(seconds)) : span(Math.floor(seconds / MINUTE) * MINUTE);
}

/** `12:02` in the reader's own time zone. */
export function hourOf(time: string): string {
  return new Date(time).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** `12:04:31` in the reader's own time zone. */
export function timeOfDay(millis: number): string {
  return new Date(millis).toLocaleTimeString("en-GB", { hour12: false });
}

/** `1 April`, or `15:00` when it is within a day. */
export function until(time: string, now: number): string {
  const at = new Date(time);
  if (at.getTime() - now < DAY * 1000) return hourOf(time);
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "long" });
}

/** `8 Mar`: a day of the installation's calendar (`2026-03-08`), whatever time zone the reader is in. */
export function dayOf(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}
