/**
 * The browser's typed client and its query keys, both made from the contract. The contract's schemas stay on the server:
 * what runs here are its paths and methods, which every page brings along (`app/routes.ts`), so no validator is loaded.
 * Never writes live keys; those belong to `live/`.
 */
import { createORPCClient, DynamicLink, ORPCError } from "@orpc/client";
import type { AnyContractRouter, ContractRouterClient } from "@orpc/contract";
import { createTanstackQueryUtils } from "@orpc/tanstack-query";
import type { RefusalCode } from "@/server/contract/refusals";
import type { Contract } from "@/server/contract/router";
import type { ApiLink } from "./api-link";

/** Where the API stands; equal to `API_PREFIX` of the contract (`app/routes.test.ts`). */
const PREFIX = "/api/v1";

type Client = ContractRouterClient<Contract>;

const listeners = new Set<(response: Response) => void>();

/** Sees every answer of the API: the connection learns from it that a login has expired, and what time it is there. */
export function onAnswer(listener: (response: Response) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Nothing was sent. */
export class NotSent extends Error {
  constructor(cause?: unknown) {
    super("Nothing was done: no connection to the server. Try again when it is back.", { cause });
  }
}

/** How long the server has to say that it is there before a change is sent, in milliseconds. */
const THERE_MS = 3_000;
let isAway: () => boolean = () => false;

/** `away`: the screen says that there is no connection. What changes something is then sent only to a server that answers. */
export function askFirstWhile(away: () => boolean): () => void {
  isAway = away;
  return () => {
    if (isAway === away) isAway = () => false;
  };
}

async function mustBeThere(): Promise<void> {
  await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(THERE_MS) }).catch((cause) => {
    throw new NotSent(cause);
  });
}

export async function apiFetch(request: Request | string, init?: RequestInit): Promise<Response> {
  const method = typeof request === "string" ? (init?.method ?? "GET") : request.method;
  if (method !== "GET" && isAway()) await mustBeThere();
  const response = await fetch(request, { ...init, credentials: "same-origin" });
  for (const listener of listeners) listener(response);
  return response;
}

/** Told by the page before anything is called. */
export function learnRoutes(learned: AnyContractRouter): void {
  routes ??= learned;
}

let routes: AnyContractRouter | null = null;
let link: Promise<ApiLink> | null = null;

/**
 * What asks. Its code is no part of the first load, as what is drawn first came with the page; it is fetched by the first
 * call, or earlier by who awaits it. Rejects where it does not arrive; the next call fetches it again.
 */
export function theLink(): Promise<ApiLink> {
  link ??= newLink().catch((error) => {
    link = null;
    throw error;
  });
  return link;
}

async function newLink(): Promise<ApiLink> {
  if (routes === null) throw new Error("the page did not bring the API's routes");
  const { newLink } = await import("./api-link").catch((cause) => {
    throw new NotSent(cause);
  });
  return newLink(routes, PREFIX, apiFetch);
}

export const client: Client = createORPCClient(new DynamicLink(theLink));
export const api = createTanstackQueryUtils(client);

/** What the server said no with; `null` for everything that is not a refusal (no network, a bug). */
export interface Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ORPCError)) return null;
  return {
    code: error.code as RefusalCode,
    status: error.status,
    message: error.message,
    details: (error.data ?? {}) as Record<string, unknown>,
  };
}

/** No answer came: what was asked for may have been done all the same. */
export function isLost(error: unknown): boolean {
  return error instanceof TypeError;
}

/** For people, whatever went wrong. */
export function sentenceOf(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal !== null) return refusal.message;
  if (isLost(error)) return "No answer came from the server. It is not known whether this was saved.";
  return error instanceof Error ? error.message : "Something went wrong. It is not known whether this was saved.";
}

/** Where a piece of a session's output is read (bytes, not JSON): from an offset on, or what ends at one. */
export function outputAddress(
  sessionId: string,
  wish: { readonly offset: number; readonly limit?: number } | { readonly before: number; readonly limit: number },
): string {
  const query = new URLSearchParams(Object.entries(wish).map(([name, value]) => [name, String(value)]));
  return `${PREFIX}/sessions/${encodeURIComponent(sessionId)}/output?${query}`;
}

/** Where a session's transcript is read, as events. */
export function eventsAddress(sessionId: string): string {
  return `${PREFIX}/sessions/${encodeURIComponent(sessionId)}/events`;
}
