/** Sessions on the wire: one attempt at a task, live or ended. */
import { z } from "zod";
import { FAILURE_KINDS, SESSION_PHASES, SESSION_STATUSES, WAIT_REASONS } from "../core/words";
import { id, listOf, longText, time } from "./common";

export const waitingFor = z.object({
  reason: z.enum(WAIT_REASONS),
  sessions: z.array(id).optional(),
  until: time.optional(),
  detail: z.string().optional(),
});
export const startsIn = z.object({ p50: z.number(), p80: z.number() });

const failure = z.object({
  kind: z.enum(FAILURE_KINDS),
  exitCode: z.number().int().optional(),
  signal: z.string().optional(),
  /** One plain sentence for people. */
  sentence: z.string(),
  /** What they can do now, in one or two more. */
  next: z.string(),
});

/** Tokens, and US dollars. What is not told is null or `partial`, never 0. */
export const usage = z.object({
  /** Without those read from the cache. */
  input: z.number(),
  cachedInput: z.number(),
  output: z.number(),
  costUsd: z.number().nullable(),
  costSource: z.enum(["reported", "computed", "unknown"]),
  /** More was used than is known. */
  partial: z.boolean(),
  /** Of the whole conversation, earlier sessions included; null: not told. */
  conversationCostUsd: z.number().nullable(),
});

const question = z.object({
  /** What an answer names, so that it is taken for no other question's. */
  id: z.string(),
  text: z.string(),
  /** What may be answered; none: any text. */
  options: z.array(z.string()),
  askedAt: time,
});

export const session = z.object({
  id,
  taskId: id,
  projectId: id,
  userId: id,
  agentId: id,
  attempt: z.number().int(),
  status: z.enum(SESSION_STATUSES),
  phase: z.enum(SESSION_PHASES).nullable(),
  /** Since when it is in this phase; null while it waits, after it ended, and for a moment in between. */
  phaseSince: time.nullable(),
  /** While it is stopping: when it is no longer asked but forced. */
  forcedAt: time.nullable(),
  /** When a server last took its runner over after a restart. */
  adoptedAt: time.nullable(),
  /** When its agent wrote last; told at least once a minute while it writes. */
  lastOutputAt: time.nullable(),
  /** 0 running, from 1 in the own line, null held or ended. */
  position: z.number().int().nullable(),
  ahead: z.number().int().nullable(),
  waitingFor: waitingFor.nullable(),
  startsIn: startsIn.nullable(),
  seat: z.number().int().nullable(),
  queuedAt: time,
  /** The grant. */
  startedAt: time.nullable(),
  /** The agent's own end. */
  finishedAt: time.nullable(),
  exitCode: z.number().int().nullable(),
  failure: failure.nullable(),
  cancelledBy: id.nullable(),
  /** What it used (A4); null: its agent told nothing. */
  usage: usage.nullable(),
  /** What its agent waits for an answer to (R12). */
  question: question.nullable(),
  /** Whether a follow-up goes on with its conversation (A5); false: it begins a new one; null: not known, or there is none. */
  continues: z.boolean().nullable(),
  lastAction: z.string().nullable(),
  mode: z.enum(["work", "plan"]),
  message: z.string().nullable(),
  files: z.number().int().nullable(),
  additions: z.number().int().nullable(),
  deletions: z.number().int().nullable(),
  outputBytes: z.number().int().nullable(),
  /** It was kept as long as the settings say; what is left is what the session says of itself. */
  outputRemoved: z.boolean(),
  workUnsaved: z.string().nullable(),
  leftOut: z.array(z.string()),
});

export const dispatchRequest = z.strictObject({
  message: longText.optional(),
  agentId: id.optional(),
  mode: z.enum(["work", "plan"]).optional(),
});
export const dispatched = z.object({ session, position: z.number().int().nullable(), existing: z.boolean() });

export const sessionList = listOf(session);
export type Session = z.infer<typeof session>;
export type QuestionView = z.infer<typeof question>;
export type WaitingForView = z.infer<typeof waitingFor>;
