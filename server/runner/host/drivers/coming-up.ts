/**
 * Whether an agent with a protocol comes up: it has, it will never, or nobody knows yet. One that says nothing by its protocol
 * within the limit will not: before that it was told no prompt, so nothing has acted.
 */

/** By then an agent has taken up its protocol, ms. Some are slow to start, and slower while others start beside them. */
const HANDSHAKE_WITHIN_MS = 120_000;

export interface ComingUp {
  /** Resolves when it is up; never, if it does not come. */
  readonly up: Promise<void>;
  /** Resolves with one plain sentence when it will never be up. */
  readonly fails: Promise<string>;
  readonly isUp: boolean;
  /** From now on it has its time. */
  begin(): void;
  succeed(): void;
  fail(sentence: string): void;
  /** It has ended, or reported an error: that says more than we could. */
  end(): void;
}

export function createComingUp(withinMs = HANDSHAKE_WITHIN_MS): ComingUp {
  let isUp = false;
  let timer: NodeJS.Timeout | undefined;
  let succeeded = () => {};
  const up = new Promise<void>((resolve) => {
    succeeded = resolve;
  });
  let failed: (sentence: string) => void = () => {};
  const fails = new Promise<string>((resolve) => {
    failed = resolve;
  });
  const fail = (sentence: string) => {
    clearTimeout(timer);
    failed(sentence);
  };
  return {
    up,
    fails,
    get isUp() {
      return isUp;
    },
    begin() {
      if (!isUp) timer = setTimeout(fail, withinMs, tooLate(withinMs));
    },
    succeed() {
      isUp = true;
      clearTimeout(timer);
      succeeded();
    },
    fail,
    end: () => clearTimeout(timer),
  };
}

function tooLate(withinMs: number): string {
  const minutes = Math.round(withinMs / 60_000);
  const span = minutes < 1 ? `${Math.round(withinMs / 1_000)} s` : `${minutes} min`;
  return `The agent's program was started and did not take up its protocol within ${span}: look at its command and arguments.`;
}
