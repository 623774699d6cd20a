/**
 * So many starts at a time, first come first served, so that twenty grants at once do not choke a small machine. A start
 * that takes longer than `tooSlowMs` waits for something else than the processor (a hook, a lock, a network) and gives
 * its place to the next one. Never decides who gets a slot: that is the pool.
 */
export interface StartPermits {
  /** Resolves when it is this start's turn, with the function that ends the turn (harmless twice). Rejects when aborted. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createStartPermits(max: number, tooSlowMs: number): StartPermits {
  const line: (() => void)[] = [];
  let busy = 0;

  const next = () => {
    while (busy < max && line.length > 0) {
      busy += 1;
      line.shift()?.();
    }
  };
  const turn = () => {
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      busy -= 1;
      next();
    };
    const timer = setTimeout(end, tooSlowMs);
    return end;
  };

  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener("abort", leave);
          resolve(turn());
        };
        const leave = () => {
          line.splice(line.indexOf(begin), 1);
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
        line.push(begin);
        next();
      });
    },
  };
}
