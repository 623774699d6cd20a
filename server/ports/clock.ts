/** Time as the engine sees it. The core never asks for the time: it arrives in events. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds; only differences mean something. Never jumps with the wall clock. */
  monotonic(): number;
}
