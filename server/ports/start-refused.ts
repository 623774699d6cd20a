/**
 * Thrown while the server starts, when a person has to change something first (a port, a setting, a database).
 * The message is one plain sentence; whoever starts the server prints it without a stack trace and exits with
 * START_REFUSED_EXIT_CODE, which tells `npm start` not to try again.
 */
export class StartRefused extends Error {
  override name = "StartRefused";
}

/** EX_CONFIG of sysexits.h. `scripts/start.mjs` knows the same number. */
export const START_REFUSED_EXIT_CODE = 78;
