/**
 * What a host is asked to run, as it lies in the run folder. The server writes it with everything the agent needs; the host
 * that claimed replaces it by what is no secret, so that prompts and variables do not stay on disk after they were used.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunOrder } from "../../ports/runner";
import { type Fields, isFields, ORDER_FILE, readRunFile, writeRunFile } from "./run-folder";

export interface HostOrder extends RunOrder {
  /** Which driver speaks with the agent. `plain`: its output is the journal, its prompt is stdin. */
  readonly driver: "plain";
  /** Value of the run mark in the environment of everything the agent starts. */
  readonly mark: string;
}

/** What is left of an order once a host has claimed: enough to find and end the tree without it. */
export interface OrderRest {
  readonly mark: string;
  readonly termGraceMs: number;
}

export async function writeOrder(folder: string, order: HostOrder): Promise<void> {
  await writeRunFile(folder, ORDER_FILE, order);
}

/** Null when there is none to run: removed by a server that gave the attempt up, or already cut down. */
export async function readOrder(folder: string): Promise<HostOrder | null> {
  const reading = await readRunFile(join(folder, ORDER_FILE));
  if (reading.kind === "absent" || (reading.kind === "read" && !("command" in reading.fields))) return null;
  const order = reading.kind === "read" ? orderFrom(reading.fields) : null;
  if (!order) throw new Error(`This host cannot read the order: ${reading.kind}.`);
  return order;
}

export async function readOrderRest(folder: string): Promise<OrderRest | null> {
  const reading = await readRunFile(join(folder, ORDER_FILE));
  if (reading.kind !== "read") return null;
  const { mark, limits } = reading.fields;
  if (typeof mark !== "string" || !isFields(limits) || typeof limits.termGraceMs !== "number") return null;
  return { mark, termGraceMs: limits.termGraceMs };
}

export async function cutDownOrder(folder: string, order: HostOrder): Promise<void> {
  const { driver, mark, sessionId, attempt, epoch, cwd, limits } = order;
  try {
    await writeRunFile(folder, ORDER_FILE, { driver, mark, sessionId, attempt, epoch, cwd, limits });
  } catch {
    // Without room for the rest it is better to have no order than one with secrets; the mark can be found out again.
    await rm(join(folder, ORDER_FILE), { force: true });
  }
}

function orderFrom(fields: Fields): HostOrder | null {
  const { driver, mark, sessionId, attempt, epoch, command, setupScript, cwd, environment, secrets, limits } = fields;
  if (driver !== "plain" || typeof mark !== "string" || typeof sessionId !== "string") return null;
  if (typeof attempt !== "number" || typeof epoch !== "number" || typeof cwd !== "string") return null;
  if (!isFields(command) || !isTexts(command.argv) || !isFields(limits)) return null;
  const { longestRunMs, termGraceMs } = limits;
  if (typeof longestRunMs !== "number" || typeof termGraceMs !== "number") return null;
  return {
    driver,
    mark,
    sessionId,
    attempt,
    epoch,
    command: {
      argv: command.argv,
      stdin: typeof command.stdin === "string" ? command.stdin : null,
      files: isTextRecord(command.files) ? command.files : {},
    },
    setupScript: typeof setupScript === "string" ? setupScript : null,
    cwd,
    environment: isTextRecord(environment) ? environment : {},
    secrets: isTexts(secrets) ? secrets : [],
    limits: { longestRunMs, termGraceMs },
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && isTexts(Object.values(value));
}
