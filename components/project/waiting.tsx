"use client";
/** A call that waits for another machine: what it does meanwhile and for how long, and a way to give it up. */
import { useState } from "react";
import { serverNow } from "../live/clock";
import { Doing } from "../live/elapsed";

export interface Wait {
  /** Such as "Cloning". */
  readonly doing: string;
  /** Ms since 1970, as the server has it. */
  readonly since: number;
  readonly cancel: () => void;
}

const GIVEN_UP = Symbol("given up");

/** What is waited for now, and how to wait: the answer, or `isGivenUp` of it. Rejects with what the server refused. */
export function useWaiting() {
  const [wait, setWait] = useState<Wait | null>(null);
  const during = async <T,>(doing: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T | typeof GIVEN_UP> => {
    const giveUp = new AbortController();
    setWait({ doing, since: serverNow(), cancel: () => giveUp.abort() });
    try {
      return await ask(giveUp.signal);
    } catch (error) {
      if (giveUp.signal.aborted) return GIVEN_UP;
      throw error;
    } finally {
      setWait(null);
    }
  };
  return { wait, during };
}

export function isGivenUp(answer: unknown): answer is typeof GIVEN_UP {
  return answer === GIVEN_UP;
}

/** Stands there before there is something to tell, so that what appears in it is announced. The seconds are not. */
export function Waiting({ wait }: { wait: Wait | null }) {
  return (
    <p className="dim" role="status">
      {wait === null ? null : <Doing doing={wait.doing} since={wait.since} />}
    </p>
  );
}
