/** Bytes as people read them, in powers of ten. Pure. */

const UNITS = ["kB", "MB", "GB"] as const;
const STEP = 1_000;

/** `980 bytes`, `12.3 kB`, `1.2 GB`. */
export function sizeOf(bytes: number): string {
  if (bytes < STEP) return `${bytes} bytes`;
  let size = bytes / STEP;
  let unit = 0;
  for (; size >= STEP && unit < UNITS.length - 1; unit += 1) size /= STEP;
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}
