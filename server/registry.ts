/**
 * Where the live services stand for Next's pages. Pages and server run in one process but are bundled apart, so a module
 * variable would exist twice; a symbol on the global object exists once.
 */
import type { Door } from "./door";

const PLACE = Symbol.for("camelot");

type Parked = { [PLACE]?: Door };

export function park(door: Door | null): void {
  const place = globalThis as Parked;
  if (door === null) delete place[PLACE];
  else place[PLACE] = door;
}

export function parked(): Door {
  const door = (globalThis as Parked)[PLACE];
  if (door === undefined) throw new Error("the server is not there: pages are rendered by the custom server only");
  return door;
}
