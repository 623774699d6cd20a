/**
 * A whole server under the load that hurts most (P20): agents that write as fast as they can, beside a crowd of short sessions.
 * The writers do not end before the crowd is through, so that whoever waits for output to end is found by its not ending.
 * Answers what happened, with and without a clock: the test judges what is no time, the benchmark shows the rest.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PoolHealth } from "../contract/pool";
import type { Session } from "../contract/sessions";
import { type Ask, signUp } from "./ask";
import { waitFor } from "./wait-for";

export interface FloodSize {
  /** Of one person, whose cap has to allow them. */
  readonly writers: number;
  /** What each writes at least before it ends. */
  readonly bytesEach: number;
  /** Short sessions of somebody else, asked for one after the other. */
  readonly dispatches: number;
  /** For the whole of it, ms. */
  readonly withinMs: number;
}

export interface Flood {
  readonly seconds: number;
  readonly bytesWritten: number;
  /** Of the server, over the whole of it. */
  readonly loop: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
  /** Resident memory of the server, bytes. */
  readonly memoryBefore: number;
  readonly memoryPeak: number;
  /** From asking for each dispatch to its answer. */
  readonly answersMs: readonly number[];
  readonly health: PoolHealth;
  readonly crowd: readonly Session[];
  readonly writers: readonly Writer[];
}

interface Writer {
  /** When the whole crowd was over. */
  readonly statusThen: string;
  readonly session: Session;
  /** What it says it wrote; null when its last words are not there. */
  readonly bytesTold: number | null;
}

const CHUNK_BYTES = 1_000_000;

/** `folder`: where a file may be made that tells the writers to end. */
export async function flood(
  server: { readonly url: string; readonly pid: number },
  folder: string,
  size: FloodSize,
): Promise<Flood> {
  const [writer, crowd] = [await signUp(server.url, "ada"), await signUp(server.url, "ben")];
  const { id: project } = await writer<{ id: string }>("POST", "/api/v1/projects", { name: "P", repository: "sample" });
  const { id: crowdId } = await crowd<{ id: string }>("GET", "/api/v1/me");
  await writer("PUT", `/api/v1/projects/${project}/members/${crowdId}`, { role: "member" });

  await loopSince(server.url);
  const memoryBefore = memoryOf(server.pid).now;
  const began = performance.now();
  const enough = path.join(folder, "enough");
  const dispatch = (who: Ask, prompt: string) => dispatched(who, project, prompt);
  const writing = await Promise.all(Array.from({ length: size.writers }, () => dispatch(writer, script(enough))));
  const asked: { id: string; tookMs: number }[] = [];
  for (let n = 0; n < size.dispatches; n += 1) asked.push(await dispatch(crowd, "true"));
  const sessions = (who: Ask, of: readonly { id: string }[]) =>
    Promise.all(of.map(({ id }) => who<Session>("GET", `/api/v1/sessions/${id}`)));
  const seen = async (who: Ask, of: readonly { id: string }[], isSo: (session: Session) => boolean, what: string) =>
    waitFor(
      async () => {
        const found = await sessions(who, of);
        return found.every(isSo) && found;
      },
      what,
      size.withinMs,
    );
  const crowdOver = await seen(crowd, asked, isOver, "the crowd to be through");
  const then = await sessions(writer, writing);
  await seen(writer, writing, ({ outputBytes }) => (outputBytes ?? 0) >= size.bytesEach, "enough to be written");
  writeFileSync(enough, "");
  const over = await seen(writer, writing, isOver, "the writers to end");
  const seconds = (performance.now() - began) / 1_000;
  const loop = await loopSince(server.url);
  return {
    seconds,
    bytesWritten: over.reduce((sum, { outputBytes }) => sum + (outputBytes ?? 0), 0),
    loop,
    memoryBefore,
    memoryPeak: memoryOf(server.pid).peak,
    answersMs: asked.map(({ tookMs }) => tookMs),
    health: await crowd<PoolHealth>("GET", "/api/v1/pool/health"),
    crowd: crowdOver,
    writers: await Promise.all(
      over.map(async (session, at) => ({
        session,
        statusThen: then[at]?.status ?? "",
        bytesTold: await lastWords(writer, session),
      })),
    ),
  };
}

/** The shell counts a broken pipe as a failure, and it is how `yes` ends. */
function script(enough: string): string {
  const chunk = `(yes 'the quick brown fox jumps over the lazy dog' || :) | head -c ${CHUNK_BYTES}`;
  return `n=0\nwhile [ ! -e '${enough}' ]; do ${chunk}; n=$((n+1)); done\nprintf 'chunks %9d' $n`;
}

async function lastWords(ask: Ask, { id, outputBytes }: Session): Promise<number | null> {
  const length = "chunks 123456789".length;
  const offset = Math.max(0, (outputBytes ?? 0) - length);
  const text = await ask<string>("GET", `/api/v1/sessions/${id}/output?offset=${offset}`);
  const found = /^chunks +(\d+)$/.exec(text);
  return found ? Number(found[1]) * CHUNK_BYTES + length : null;
}

function isOver({ status }: Session): boolean {
  return status !== "queued" && status !== "running";
}

async function dispatched(ask: Ask, projectId: string, prompt: string): Promise<{ id: string; tookMs: number }> {
  const task = await ask<{ id: string }>("POST", `/api/v1/projects/${projectId}/tasks`, { title: "Load", prompt });
  const asked = performance.now();
  const { session } = await ask<{ session: { id: string } }>("POST", `/api/v1/tasks/${task.id}/dispatch`, {});
  return { id: session.id, tookMs: performance.now() - asked };
}

/** The server's event loop since the last look: its histogram begins anew with every one. */
async function loopSince(url: string): Promise<Flood["loop"]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => {
    const found = new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, "m").exec(text);
    if (!found) throw new Error(`the metrics say nothing of the event loop's ${name}`);
    return Number(found[1]) * 1_000;
  };
  return { p50Ms: read("p50"), p99Ms: read("p99"), maxMs: read("max") };
}

function memoryOf(pid: number): { now: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) * 1_024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}
