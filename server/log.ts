/**
 * The server's log: one plain line per event on stderr, so that stdout holds only what a person starting the server has to
 * know. Secrets never get here: queries are never told, requests without headers and bodies.
 */
import { pino } from "pino";
import type { LogLevel } from "./config";
import { reasonOf, withoutQuery } from "./core/text/reason";

/** Longest line in characters. */
const LINE_MAX = 4_000;

export interface Log {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  /** Something nobody foresaw: with its stack. */
  bug(what: string, error: unknown): void;
}

export function createLog(level: LogLevel, out: { write(text: string): unknown } = process.stderr): Log {
  const log = pino({ level, base: null }, { write: (record: string) => void out.write(lineOf(record)) });
  return {
    debug: (line) => log.debug(line),
    info: (line) => log.info(line),
    warn: (line) => log.warn(line),
    error: (line) => log.error(line),
    bug: (what, error) => log.error(`${what}: ${wholeOf(error)}`),
  };
}

function wholeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\n  because of ${wholeOf(error.cause)}` : "";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [`${error.name}: ${reasonOf(error)}`, ...frames].join("\n") + cause;
}

function lineOf(record: string): string {
  const { level, time, msg } = JSON.parse(record) as { level: number; time: number; msg: string };
  const text = withoutQuery(msg).slice(0, LINE_MAX);
  return `${new Date(time).toISOString()} ${pino.levels.labels[level] ?? level} ${text}\n`;
}
