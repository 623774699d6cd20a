/**
 * What a host is asked to run, as it lies in the run folder. The server writes it with everything the agent needs; the host
 * that claimed replaces it by what is no secret, so that prompts and variables do not stay on disk after they were used.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "../../core/agent/json";
import type { AgentTalk, RunOrder } from "../../ports/runner";
import { type Fields, isFields, ORDER_FILE, readRunFile, writeRunFile } from "./run-folder";

export interface HostOrder extends RunOrder {
  /** Which driver speaks with the agent. `plain`: none, its output is the journal, its prompt is stdin. */
  readonly driver: "plain" | AgentTalk["driver"];
  /** Value of the run mark in the environment of everything the agent starts. */
  readonly mark: string;
}

/** What is left of an order once a host has claimed: enough to find and end the tree without it. */
export interface OrderRest {
  readonly mark: string;
  readonly driver: unknown;
  readonly termGraceMs: number;
}

const SANDBOXES: readonly RunOrder["sandbox"][] = ["none", "bubblewrap"];

export async function writeOrder(folder: string, order: HostOrder): Promise<void> {
  await writeRunFile(folder, ORDER_FILE, order);
}

export type OrderReading =
  | { readonly kind: "order"; readonly order: HostOrder }
  /** Removed by a server that gave the attempt up, or already cut down. */
  | { readonly kind: "none" }
  /** Nobody will ever carry it out; the sentence is for people. */
  | { readonly kind: "unreadable"; readonly sentence: string };

export async function readOrder(folder: string): Promise<OrderReading> {
  const reading = await readRunFile(join(folder, ORDER_FILE));
  switch (reading.kind) {
    case "absent":
      return { kind: "none" };
    case "foreign-version":
      return { kind: "unreadable", sentence: foreignOrder(reading.version) };
    case "broken":
      return { kind: "unreadable", sentence: "What the agent was to do could not be read from the disk." };
    case "read": {
      if (!("command" in reading.fields)) return { kind: "none" };
      const order = orderFrom(reading.fields);
      return order ? { kind: "order", order } : { kind: "unreadable", sentence: foreignOrder(null) };
    }
    default:
      return reading satisfies never;
  }
}

function foreignOrder(version: unknown): string {
  const which = typeof version === "number" ? ` (version ${version})` : "";
  return `The server and the program that starts its agents are of different releases${which}: build again, and restart the server.`;
}

export async function removeOrder(folder: string): Promise<void> {
  await rm(join(folder, ORDER_FILE), { force: true });
}

export async function readOrderRest(folder: string): Promise<OrderRest | null> {
  const reading = await readRunFile(join(folder, ORDER_FILE));
  if (reading.kind !== "read") return null;
  const { mark, driver, limits } = reading.fields;
  if (typeof mark !== "string" || !isFields(limits) || typeof limits.termGraceMs !== "number") return null;
  return { mark, driver, termGraceMs: limits.termGraceMs };
}

export async function cutDownOrder(folder: string, order: HostOrder): Promise<void> {
  const { driver, mark, sessionId, attempt, epoch, cwd, limits } = order;
  try {
    await writeRunFile(folder, ORDER_FILE, { driver, mark, sessionId, attempt, epoch, cwd, limits });
  } catch {
    // Without room for the rest it is better to have no order than one with secrets; the mark can be found out again.
    await removeOrder(folder);
  }
}

function orderFrom(fields: Fields): HostOrder | null {
  const { driver, mark, sessionId, attempt, epoch, command, setupScript, cwd, environment, secrets, limits } = fields;
  const sandbox = SANDBOXES.find((known) => known === (fields.sandbox ?? "none"));
  if (typeof mark !== "string" || typeof sessionId !== "string") return null;
  if (typeof attempt !== "number" || typeof epoch !== "number" || typeof cwd !== "string") return null;
  // Not known is not none: what was to be locked up must not run free.
  if (sandbox === undefined) return null;
  if (!isFields(command) || !isTexts(command.argv) || !isFields(limits)) return null;
  const talk = driver === "plain" ? null : talkFrom(command.talk);
  // A driver of another release: nobody here can speak with its agent.
  if (talk === undefined || (talk !== null && talk.driver !== driver)) return null;
  const { longestRunMs, termGraceMs, handshakeMs, backgroundMs } = limits;
  if (typeof longestRunMs !== "number" || typeof termGraceMs !== "number") return null;
  return {
    driver: talk === null ? "plain" : talk.driver,
    mark,
    sessionId,
    attempt,
    epoch,
    command: {
      argv: command.argv,
      stdin: typeof command.stdin === "string" ? command.stdin : null,
      files: isTextRecord(command.files) ? command.files : {},
      ...(talk === null ? {} : { talk }),
    },
    setupScript: typeof setupScript === "string" ? setupScript : null,
    cwd,
    environment: isTextRecord(environment) ? environment : {},
    secrets: isTexts(secrets) ? secrets : [],
    limits: {
      longestRunMs,
      termGraceMs,
      ...(typeof handshakeMs === "number" ? { handshakeMs } : {}),
      ...(typeof backgroundMs === "number" ? { backgroundMs } : {}),
    },
    sandbox,
  };
}

function talkFrom(value: unknown): AgentTalk | undefined {
  if (!isFields(value)) return undefined;
  const resume = textOf(value.resume);
  const model = textOf(value.model);
  const otherwise = textOf(value.otherwise);
  switch (value.driver) {
    case "claude":
      return { driver: "claude", resume };
    case "codex": {
      const { approvalPolicy, sandbox } = value;
      if (typeof approvalPolicy !== "string" || typeof sandbox !== "string") return undefined;
      return { driver: "codex", resume, otherwise, model, approvalPolicy, sandbox };
    }
    case "acp":
      return { driver: "acp", resume, otherwise, model, mode: textOf(value.mode) };
    default:
      return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && isTexts(Object.values(value));
}
