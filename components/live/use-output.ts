"use client";
/**
 * One session's output, live: a window of bytes and text that follows the tail (R6, L3). It resumes from a byte offset
 * after every cut, so there is neither gap nor double, and it never holds more than `WINDOW_MAX_BYTES`.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { apiFetch, outputAddress } from "../api";
import { useConnection } from "./live-provider";
import { OutputLog, type OutputWindow } from "./output-log";

/** Of longer output only this much of the end is shown at first; the rest is read on demand. */
const FIRST_BYTES = 1_000_000;
/** How much older output is read at a time. */
const EARLIER_BYTES = 256_000;

export interface OutputView extends OutputWindow {
  readonly state: "loading" | "live" | "complete";
  readonly isReadingEarlier: boolean;
  /** Reads the piece before `start`; does nothing at the beginning. */
  loadEarlier(): Promise<void>;
}

const EMPTY: OutputWindow = { start: 0, end: 0, pieces: [], isComplete: false };

/**
 * For one session as long as the component lives: give it `key={sessionId}`.
 * `knownBytes`: how long the output is said to be (`session.outputBytes`); decides where the first window starts.
 */
export function useOutput(sessionId: string, knownBytes: number | null): OutputView {
  const connection = useConnection();
  const [window, setWindow] = useState<OutputWindow>(EMPTY);
  const [hasHeard, setHasHeard] = useState(false);
  const [isReadingEarlier, setReadingEarlier] = useState(false);
  const log = useRef<OutputLog | null>(null);
  const isAsking = useRef(false);
  const firstStart = useRef(Math.max(0, (knownBytes ?? 0) - FIRST_BYTES));

  useEffect(() => {
    if (connection === null) return;
    log.current ??= new OutputLog(firstStart.current);
    const held = log.current;
    let frame = 0;
    const show = () => {
      frame = 0;
      setHasHeard(true);
      setWindow(held.window());
    };
    const stop = connection.outputs.watch(sessionId, {
      from: () => held.window().end,
      arrived: (message) => {
        const bytes = new Uint8Array(message.bytes);
        if (held.take({ ...message, bytes }) === "gap") connection.outputs.ask(sessionId);
        // Many messages, one picture: the screen is drawn at most once per frame.
        if (frame === 0) frame = requestAnimationFrame(show);
      },
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [connection, sessionId]);

  const loadEarlier = useCallback(async () => {
    const held = log.current;
    if (held === null || isAsking.current) return;
    const { start } = held.window();
    if (start === 0) return;
    isAsking.current = true;
    setReadingEarlier(true);
    try {
      const offset = Math.max(0, start - EARLIER_BYTES);
      const response = await apiFetch(outputAddress(sessionId, offset, start - offset));
      if (!response.ok || Number(response.headers.get("x-next-offset")) !== start) return;
      held.prepend(offset, new Uint8Array(await response.arrayBuffer()));
      setWindow(held.window());
    } finally {
      isAsking.current = false;
      setReadingEarlier(false);
    }
  }, [sessionId]);

  const state = window.isComplete ? "complete" : hasHeard ? "live" : "loading";
  return { ...window, state, isReadingEarlier, loadEarlier };
}
