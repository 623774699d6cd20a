/** Vitest's global setup: the one database cluster of a test run. */
export function setup(): void {}
