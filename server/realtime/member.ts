/**
 * One connected socket: who it is, what it may see now, and what it watches. Asks are answered one after the other and only
 * so many wait; whatever a client sends, it gets `{ok:true}` or `{code,message}` back.
 */
import { z } from "zod";
import { id, OUTPUT_TAIL_MAX_BYTES, wholeNumber } from "../contract/common";
import { type OutputMessage, ROOMS, type WatchAnswer } from "../contract/live";
import type { RefusalCode } from "../contract/refusals";
import type { LiveSession } from "../core/pool/picture";
import { reasonOf } from "../core/text/reason";
import type { ProjectId, SessionId } from "../core/words";
import type { Caller } from "../ports/access";
import type { Runner } from "../ports/runner";
import type { SessionPlaces } from "../ports/views";
import type { BoardRooms } from "./board-rooms";
import { type OutputStream, streamOutput } from "./output-stream";
import type { PoolChannel } from "./pool-channel";
import { drained, type LiveSocket } from "./wire";

/** Boards and outputs one socket may watch at a time, of each. */
const ROOMS_MAX = 32;
/** Asks of one socket that may wait for their answer. */
const ASKS_MAX = 64;

const request = z.object({
  room: z.enum(ROOMS),
  id,
  offset: wholeNumber.optional(),
  tail: z.number().int().min(1).max(OUTPUT_TAIL_MAX_BYTES).optional(),
});

export interface MemberParts {
  readonly boards: BoardRooms;
  readonly pool: PoolChannel;
  readonly runner: Pick<Runner, "read" | "extent" | "watch">;
  readonly places: SessionPlaces;
  readonly live: (sessionId: SessionId) => LiveSession | undefined;
  /** Looks at the rows again, so that a right given a moment ago counts. */
  readonly refresh: (member: Member) => Promise<void>;
  readonly warn: (message: string) => void;
}

export class Member {
  readonly caller: Caller;
  readonly socket: LiveSocket;
  projects: ReadonlySet<ProjectId>;
  /** Which look at the rows `projects` is from; an older look changes nothing. */
  lookedAt = 0;
  readonly #parts: MemberParts;
  readonly #boards = new Set<ProjectId>();
  readonly #outputs = new Map<SessionId, { projectId: ProjectId; stream: OutputStream }>();
  #asks = 0;
  #lastAsk: Promise<unknown> = Promise.resolve();

  constructor(socket: LiveSocket, projects: ReadonlySet<ProjectId>, parts: MemberParts) {
    this.socket = socket;
    this.caller = socket.data.caller;
    this.projects = projects;
    this.#parts = parts;
    socket.on("watch", (asked: unknown, answer: unknown) => this.#answer(answer, () => this.#watch(asked)));
    socket.on("unwatch", (asked: unknown, answer: unknown) => this.#answer(answer, () => this.#unwatch(asked)));
    socket.on("resync", (answer: unknown) => this.#answer(answer, () => this.#resync()));
    parts.pool.join(socket, projects);
  }

  /** What it may see has been read again. */
  see(projects: ReadonlySet<ProjectId>): void {
    const isSame = projects.size === this.projects.size && [...projects].every((project) => this.projects.has(project));
    if (isSame) return;
    this.projects = projects;
    for (const projectId of this.#boards) if (!projects.has(projectId)) this.#shut(projectId);
    for (const [sessionId, { projectId }] of this.#outputs) if (!projects.has(projectId)) this.#endOutput(sessionId);
    this.#parts.pool.join(this.socket, projects);
  }

  /** Something about this session changed in the pool. */
  hint(sessionId: SessionId): void {
    this.#outputs.get(sessionId)?.stream.hint();
  }

  leave(): void {
    for (const projectId of this.#boards) this.#parts.boards.leave(this.socket, projectId);
    for (const sessionId of this.#outputs.keys()) this.#endOutput(sessionId);
    this.#parts.pool.leave(this.socket);
  }

  #answer(answer: unknown, work: () => Promise<WatchAnswer>): void {
    const reply = (said: WatchAnswer) => {
      if (typeof answer === "function") answer(said);
    };
    if (this.#asks >= ASKS_MAX) {
      reply(refusal("TOO_MANY_REQUESTS", "Too many questions at once."));
      return;
    }
    this.#asks += 1;
    this.#lastAsk = this.#lastAsk.then(async () => {
      try {
        reply(await work());
      } catch (error) {
        this.#parts.warn(`a socket's question could not be answered: ${reasonOf(error)}`);
        reply(refusal("UNAVAILABLE", "The server could not answer. Try again."));
      } finally {
        this.#asks -= 1;
      }
    });
  }

  async #watch(asked: unknown): Promise<WatchAnswer> {
    const parsed = request.safeParse(asked);
    if (!parsed.success) return refusal("BAD_REQUEST", "That is nothing one can watch.");
    const { room, id: wanted, offset = 0, tail = null } = parsed.data;
    const rooms = room === "board" ? this.#boards : this.#outputs;
    if (rooms.size >= ROOMS_MAX && !rooms.has(wanted))
      return refusal("TOO_MANY_REQUESTS", "This connection watches too much.");
    return room === "board" ? this.#watchBoard(wanted) : this.#watchOutput(wanted, offset, tail);
  }

  async #watchBoard(projectId: ProjectId): Promise<WatchAnswer> {
    if (!(await this.#maySee(projectId))) return NOT_FOUND;
    this.#boards.add(projectId);
    const isJoined = await this.#parts.boards.join(this.socket, projectId);
    if (!this.#boards.has(projectId)) return NOT_FOUND;
    return isJoined ? OK : refusal("UNAVAILABLE", "The board cannot be read now. Try again.");
  }

  async #watchOutput(sessionId: SessionId, from: number, tail: number | null): Promise<WatchAnswer> {
    const place = await this.#parts.places.placeOf(sessionId);
    if (place === null || !(await this.#maySee(place.projectId))) return NOT_FOUND;
    this.#endOutput(sessionId);
    const { socket } = this;
    const { runner, places, live, warn } = this.#parts;
    const send = (message: OutputMessage) => socket.emit("output", message);
    const parts = { sessionId, from, tail, runner, places, live, warn, send, drained: () => drained(socket) };
    this.#outputs.set(sessionId, { projectId: place.projectId, stream: streamOutput(parts, place) });
    return OK;
  }

  async #unwatch(asked: unknown): Promise<WatchAnswer> {
    const parsed = request.safeParse(asked);
    if (!parsed.success) return refusal("BAD_REQUEST", "That is nothing one can watch.");
    if (parsed.data.room === "output") this.#endOutput(parsed.data.id);
    else if (this.#boards.delete(parsed.data.id)) this.#parts.boards.leave(this.socket, parsed.data.id);
    return OK;
  }

  async #resync(): Promise<WatchAnswer> {
    await drained(this.socket);
    this.#parts.pool.resync(this.socket);
    return OK;
  }

  async #maySee(projectId: ProjectId): Promise<boolean> {
    await this.#parts.refresh(this);
    return this.socket.connected && this.projects.has(projectId);
  }

  #shut(projectId: ProjectId): void {
    this.#boards.delete(projectId);
    this.#parts.boards.shut(this.socket, projectId);
  }

  #endOutput(sessionId: SessionId): void {
    this.#outputs.get(sessionId)?.stream.stop();
    this.#outputs.delete(sessionId);
  }
}

const OK: WatchAnswer = { ok: true };
const NOT_FOUND = refusal("NOT_FOUND", "There is no such thing, or it is not yours to see.");

function refusal(code: RefusalCode, message: string): WatchAnswer {
  return { code, message };
}
