/** A tab that slept, lost its network or comes to the front asks at once instead of waiting for the heartbeat. */

/** A tab whose clock jumped by more than this has slept. */
const SLEPT_MS = 5_000;
const BEAT_MS = 1_000;

export function watchTab(wake: () => void): () => void {
  const shown = () => document.visibilityState === "visible" && wake();
  let last = Date.now();
  const beat = setInterval(() => {
    const now = Date.now();
    if (now - last > SLEPT_MS) shown();
    last = now;
  }, BEAT_MS);
  globalThis.addEventListener("online", wake);
  globalThis.addEventListener("offline", wake);
  document.addEventListener("visibilitychange", shown);
  return () => {
    clearInterval(beat);
    globalThis.removeEventListener("online", wake);
    globalThis.removeEventListener("offline", wake);
    document.removeEventListener("visibilitychange", shown);
  };
}
