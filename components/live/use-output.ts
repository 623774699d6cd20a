"use client";
/**
 * One session's output, live: a window of bytes and text (R6, L3). Who follows the end is taken there, however much came
 * meanwhile; who reads gets every byte in order, as much as the window holds, and more at either end on demand. It resumes
 * from a byte offset after every cut, so there is neither gap nor double.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { type KeptPiece, type KeptWish, readKept } from "./kept-output";
import { useConnection } from "./live-provider";
import { type OutputArrival, OutputLog, type OutputWindow } from "./output-log";

/** Who follows the end may lie this many bytes behind; beyond it is leapt over and can be loaded. */
export const FOLLOW_BYTES = 256_000;
/** How much older output is read at a time. */
const EARLIER_BYTES = 256_000;

export interface OutputView {
  readonly window: OutputWindow;
  /** Something was heard of it. */
  readonly isKnown: boolean;
  /** More is known to stand behind the window's end; a full window goes on when that is asked for. */
  readonly hasLater: boolean;
  readonly isReadingEarlier: boolean;
  /** Reads the piece before the window; does nothing at the beginning. Throws when it cannot be read. */
  loadEarlier(): Promise<void>;
  /** Moves the window to the first byte, for who does not follow the end. Throws when it cannot be read. */
  loadBeginning(): Promise<void>;
  /** Lets go of the oldest, so that the window goes on. */
  loadLater(): void;
  /** Reads kept output that the window does not hold. Throws a sentence for people. */
  read(wish: KeptWish, signal: AbortSignal): Promise<KeptPiece>;
  /** Lets go of everything and goes on from there, for who does not follow the end. */
  moveTo(arrival: OutputArrival): void;
}

const EMPTY: OutputWindow = { start: 0, end: 0, pieces: [], isComplete: false };

/** For one session as long as the component lives: give it `key={sessionId}`. */
export function useOutput(sessionId: string, isFollowing: boolean): OutputView {
  const connection = useConnection();
  const [window, setWindow] = useState<OutputWindow>(EMPTY);
  const [isKnown, setKnown] = useState(false);
  const [hasLater, setHasLater] = useState(false);
  /** Where the output ended at least when the window was moved. */
  const [farEnd, setFarEnd] = useState(0);
  const [isReadingEarlier, setReadingEarlier] = useState(false);
  /** Rises when the window has changed by other ways than news. */
  const [turn, setTurn] = useState(0);
  const log = useRef<OutputLog | null>(null);
  const isAsking = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is another place to go on from
  useEffect(() => {
    if (connection === null) return;
    log.current ??= new OutputLog();
    const held = log.current;
    if (!isFollowing && held.isFull) return setHasLater(!held.window().isComplete);
    setHasLater(false);
    let frame = 0;
    let stop = () => {};
    const show = () => {
      frame = 0;
      setKnown(true);
      setWindow(held.window());
    };
    const arrived = (bytes: Uint8Array, message: Parameters<OutputLog["take"]>[0]) => {
      if (!isFollowing && held.isFull) {
        setHasLater(true);
        return stop();
      }
      if (held.take({ ...message, bytes }) !== "gap") return;
      if (isFollowing) held.leap({ ...message, bytes });
      else connection.outputs.ask(sessionId);
    };
    stop = connection.outputs.watch(sessionId, {
      from: () => held.window().end,
      tail: isFollowing ? FOLLOW_BYTES : null,
      arrived: (message) => {
        arrived(new Uint8Array(message.bytes), message);
        // Many messages, one picture: the screen is drawn at most once per frame.
        if (frame === 0) frame = requestAnimationFrame(show);
      },
    });
    return () => {
      stop();
      if (frame === 0) return;
      cancelAnimationFrame(frame);
      show();
    };
  }, [connection, sessionId, isFollowing, turn]);

  const loadEarlier = useCallback(async () => {
    const held = log.current;
    if (held === null || isAsking.current) return;
    const { start: before } = held.window();
    if (before === 0) return;
    isAsking.current = true;
    setReadingEarlier(true);
    try {
      const { offset, bytes } = await readKept(sessionId, { before, limit: EARLIER_BYTES });
      // Somebody has leapt to the end meanwhile: this belongs nowhere any more.
      if (held.window().start !== before) return;
      held.prepend(offset, bytes);
      setWindow(held.window());
      setTurn((before) => before + 1);
    } finally {
      isAsking.current = false;
      setReadingEarlier(false);
    }
  }, [sessionId]);

  const loadLater = useCallback(() => {
    log.current?.makeRoom();
    setTurn((before) => before + 1);
  }, []);

  const read = useCallback((wish: KeptWish, signal: AbortSignal) => readKept(sessionId, wish, signal), [sessionId]);
  const moveTo = useCallback((arrival: OutputArrival) => {
    const held = log.current;
    if (held === null) return;
    const { end } = held.window();
    setFarEnd((before) => Math.max(before, end));
    held.leap(arrival);
    setWindow(held.window());
    setTurn((before) => before + 1);
  }, []);

  const loadBeginning = useCallback(async () => {
    const piece = await readKept(sessionId, { offset: 0, limit: EARLIER_BYTES });
    moveTo({ ...piece, complete: false });
  }, [sessionId, moveTo]);

  const isBehind = hasLater || window.end < farEnd;
  const more = { loadEarlier, loadBeginning, loadLater, read, moveTo };
  return { window, isKnown, hasLater: isBehind, isReadingEarlier, ...more };
}
