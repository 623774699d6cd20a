"use client";
/** One session's transcript, live: every byte of its output in order from the first one, resumed where it stood after a cut. */
import { useEffect, useState } from "react";
import type { StreamFormat } from "@/server/core/agent/events";
import type { LiveConnection } from "./connection";
import { useConnection } from "./live-provider";
import { NO_TRANSCRIPT, TranscriptLog, type TranscriptPicture } from "./transcript-log";

/** Transcripts that are kept when one looks elsewhere, so that coming back does not read everything again. */
const KEPT_MAX = 3;

/** Of one login: who comes after somebody in the same tab starts with nothing. */
const kept = new WeakMap<LiveConnection, Map<string, TranscriptLog>>();

function logOf(connection: LiveConnection, sessionId: string, format: StreamFormat): TranscriptLog {
  const logs = kept.get(connection) ?? new Map<string, TranscriptLog>();
  kept.set(connection, logs);
  const log = logs.get(sessionId) ?? new TranscriptLog(format);
  // The newest last.
  logs.delete(sessionId);
  logs.set(sessionId, log);
  for (const id of [...logs.keys()].slice(0, -KEPT_MAX)) logs.delete(id);
  return log;
}

/** For one session as long as the component lives: give it `key={sessionId}`. */
export function useTranscript(sessionId: string, format: StreamFormat): TranscriptPicture {
  const connection = useConnection();
  const [picture, setPicture] = useState(NO_TRANSCRIPT);
  useEffect(() => {
    if (connection === null) return;
    const log = logOf(connection, sessionId, format);
    const show = () => setPicture(log.picture());
    show();
    if (log.isWhole) return;
    let frame = 0;
    const stop = connection.outputs.watch(sessionId, {
      from: () => log.end,
      tail: null,
      arrived: (message) => {
        const taken = log.take({ ...message, bytes: new Uint8Array(message.bytes) });
        if (taken === "gap") return connection.outputs.ask(sessionId);
        // Many messages, one picture: the screen is drawn at most once per frame.
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          show();
        });
      },
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [connection, sessionId, format]);
  return picture;
}
