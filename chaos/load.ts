/**
 * People at work: each keeps some sessions in their line, presses twice now and then, withdraws some, reads the output of
 * some while it comes. Everything they were told is written down for the checker. Bounded: nobody has more in their line than
 * their depth, and it ends when it is told to.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { said } from "./client";
import { type Errand, errandOf, outputOf, scriptOf, waitingScriptOf } from "./errand";
import type { Dispatch } from "./evidence";
import type { Person, World } from "./world";

/** How many live sessions each person keeps; more than their caps, so that lines never run dry. */
const DEPTHS = [6, 2, 3, 3, 3];
const LOOK_EVERY_MS = 250;
const READ_LEAST_BYTES = 100;
const READ_EVERY_MS = 100;

export interface Load {
  readonly dispatches: Dispatch[];
  /** What was refused although it may not be. */
  readonly refusals: string[];
  /** Nobody dispatches any more; resolves when everything under way has its answer. */
  stop(): Promise<void>;
  /** Dispatches sessions that hold their slots until the gate opens: for each person as many as their cap, more than fit. */
  fillTheHouse(): Promise<void>;
  /** Resolves when whoever follows an output has read its end. */
  read(): Promise<void>;
}

interface SessionView {
  readonly id: string;
  readonly status: string;
  readonly phase: string | null;
}

export function startLoad(world: World, seed: string, signal: AbortSignal): Load {
  const { client, projectId, people, marksFile, gate } = world;
  const dispatches: Dispatch[] = [];
  const refusals: string[] = [];
  const asides: Promise<unknown>[] = [];
  let isOver = false;

  async function work(person: Person): Promise<void> {
    const depth = DEPTHS[person.number] ?? 1;
    for (let index = 0; !isOver; ) {
      const me = await client.json<{ running: number; queued: number }>(person.cookie, "GET", "/api/v1/me");
      for (let live = me.running + me.queued; live < depth && !isOver; live += 1, index += 1) {
        const errand = errandOf(seed, person.number, index);
        await send(person, errand, scriptOf(errand, marksFile));
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  }

  async function send(person: Person, errand: Errand, prompt: string): Promise<void> {
    const { token } = errand;
    const tasks = `/api/v1/projects/${projectId}/tasks`;
    const task = await client.json<{ id: string }>(person.cookie, "POST", tasks, { title: `Errand ${token}`, prompt });
    const dispatch: Dispatch = {
      token,
      userId: person.id,
      taskId: task.id,
      askedAt: performance.now(),
      answeredAt: null,
      sessionIds: new Set(),
      output: outputOf(errand),
      cancelAskedAt: null,
      cancelAnswer: null,
      followed: null,
    };
    dispatches.push(dispatch);
    const press = async () => {
      const asking = { body: {}, headers: { "idempotency-key": `errand-${token}` } };
      const answer = await client.ask(person.cookie, "POST", `/api/v1/tasks/${task.id}/dispatch`, asking);
      if (answer.status >= 300) return void refusals.push(`[P1] The dispatch of ${token} was refused: ${said(answer)}`);
      dispatch.answeredAt ??= performance.now();
      dispatch.sessionIds.add((JSON.parse(answer.bytes.toString()) as { session: SessionView }).session.id);
    };
    await Promise.all(errand.isDoubleClick ? [press(), press()] : [press()]);
    const [sessionId] = dispatch.sessionIds;
    if (!sessionId) return;
    if (errand.cancelAfterMs !== null) beside(cancel(person, dispatch, sessionId, errand.cancelAfterMs));
    if (errand.isFollowed) beside(follow(person, dispatch, sessionId));
  }

  async function cancel(person: Person, dispatch: Dispatch, sessionId: string, afterMs: number): Promise<void> {
    await sleep(afterMs, undefined, { signal });
    dispatch.cancelAskedAt = performance.now();
    const answer = await client.ask(person.cookie, "POST", `/api/v1/sessions/${sessionId}/cancel`, { body: {} });
    if (answer.status >= 300)
      return void refusals.push(`[P17] The cancel of ${dispatch.token} was refused: ${said(answer)}`);
    const { status, phase } = JSON.parse(answer.bytes.toString()) as SessionView;
    dispatch.cancelAnswer = phase === "stopping" ? phase : status;
  }

  async function follow(person: Person, dispatch: Dispatch, sessionId: string): Promise<void> {
    const pieces: Buffer[] = [];
    for (let offset = 0; ; ) {
      const limit = READ_LEAST_BYTES + pieces.length * READ_LEAST_BYTES;
      const path = `/api/v1/sessions/${sessionId}/output?offset=${offset}&limit=${limit}`;
      const { status, headers, bytes } = await client.ask(person.cookie, "GET", path);
      if (status !== 200) return void refusals.push(`[R6] ${path} was refused with ${status}.`);
      pieces.push(bytes);
      offset = Number(headers.get("x-next-offset"));
      if (headers.get("x-complete") === "true") break;
      if (bytes.length === 0) await sleep(READ_EVERY_MS, undefined, { signal });
    }
    dispatch.followed = Buffer.concat(pieces);
  }

  /** Seen by whoever waits for it; until then it must not end the process. */
  function beside(doing: Promise<unknown>): void {
    doing.catch(() => undefined);
    asides.push(doing);
  }

  const working = Promise.all(people.map(work));
  beside(working);
  return {
    dispatches,
    refusals,
    async stop() {
      isOver = true;
      await working;
    },
    async fillTheHouse() {
      for (const person of people) {
        const count = world.caps.users.get(person.id) ?? 0;
        for (let index = 0; index < count; index += 1) {
          const token = `gate${person.number}n${index}`;
          const plain = { lastsMs: 0, cancelAfterMs: null, isDoubleClick: false, isFollowed: false };
          await send(person, { ...plain, token, lines: 1 }, waitingScriptOf(token, marksFile, gate));
        }
      }
    },
    async read() {
      await Promise.all(asides);
    },
  };
}
