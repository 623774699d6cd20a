/**
 * Where the live services stand for Next's pages. Pages and server run in one process but are bundled apart, so a module
 * variable would exist twice; a symbol on the global object exists once. Does not look at what it keeps: `door.ts` knows.
 */
const PLACE = Symbol.for("camelot");

type Parked = { [PLACE]?: object };

export function park(door: object | null): void {
  const place = globalThis as Parked;
  if (door === null) delete place[PLACE];
  else place[PLACE] = door;
}

export function parked(): object {
  const door = (globalThis as Parked)[PLACE];
  if (door === undefined) throw new Error("the server is not there: pages are rendered by the custom server only");
  return door;
}
