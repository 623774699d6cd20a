/**
 * The pool's picture on a server that is not the writer (P13, P19): made from the rows of the version that the writer told last,
 * so an answer of one version is the same on every server. Reads only; when nothing was told it keeps the picture it has.
 */
import { followed } from "../../../core/pool/follow";
import { stateFrom } from "../../../core/pool/load";
import type { PoolChange } from "../../../core/pool/picture";
import { pictureOf } from "../../../core/pool/snapshot";
import type { PoolState } from "../../../core/pool/state";
import type { SessionId } from "../../../core/words";
import type { GoneRow, News, PoolLink } from "../../../ports/pool-link";
import type { PoolAnnouncer } from "../writer/announcer";

/** Said again so often, for the writer to know that somebody follows. */
const FOLLOW_EVERY_MS = 3_000;

export interface FollowerParts {
  readonly link: PoolLink;
  readonly holder: string;
  readonly announcer: PoolAnnouncer;
  readonly log: { warn(message: string): void };
}

type Known = Extract<News, { kind: "whole" | "changes" }>;

export class PoolFollower {
  readonly #parts: FollowerParts;
  #following: NodeJS.Timeout | null = null;
  /** What the rows were at the version that is shown; null: read everything. */
  #state: PoolState | null = null;
  #version: { readonly epoch: number; readonly version: number } | null = null;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  get isFollowing(): boolean {
    return this.#following !== null;
  }

  begin(): void {
    if (this.#following) return;
    this.#following = setInterval(() => void this.#say(), FOLLOW_EVERY_MS);
    this.#following.unref();
    void this.#say();
  }

  end(): void {
    if (!this.#following) return;
    clearInterval(this.#following);
    this.#following = null;
    const { link, holder } = this.#parts;
    // Forgotten by itself when this does not get through.
    void link.unfollow(holder).catch(() => undefined);
    this.#state = null;
    this.#version = null;
  }

  /** Reads what is new. Calls must not overlap. */
  async refresh(): Promise<void> {
    const following = this.#following;
    if (!following) return;
    const news = await this.#parts.link.news(this.#version);
    // Meanwhile this server may have become the writer.
    if (this.#following !== following || news.kind === "untold" || news.kind === "same") return;
    this.#show(news);
  }

  /** Resolves once the picture has known this session, or after `withinMs`. */
  pictured(sessionId: SessionId, withinMs: number): Promise<void> {
    const { announcer } = this.#parts;
    if (announcer.snapshot.session(sessionId)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late);
        unsubscribe();
        resolve();
      };
      const late = setTimeout(done, withinMs);
      const unsubscribe = announcer.subscribe(({ snapshot, ended }) => {
        if (snapshot.session(sessionId) || ended.some((session) => session.sessionId === sessionId)) done();
      });
    });
  }

  #show(news: Known): void {
    const { announcer } = this.#parts;
    const before = this.#state;
    const { isOpen, isDiskShort, epoch, version, at } = news;
    const after =
      news.kind === "whole" || before === null
        ? { ...stateFrom(rowsOf(news), isOpen), isDiskShort }
        : followed(before, { ...news, gone: news.gone.map(({ id }) => id) });
    this.#state = after;
    this.#version = { epoch, version };
    const snapshot = pictureOf(after, epoch, version, at, announcer.foreseen);
    announcer.publish({ snapshot, ...changeBetween(before, after, news) }, after);
  }

  async #say(): Promise<void> {
    const { link, holder, log } = this.#parts;
    try {
      await link.follow(holder);
      if (this.#version === null) link.say("asked");
    } catch (error) {
      log.warn(`the writer could not be told that this server follows: ${error}`);
    }
  }
}

function rowsOf(news: Known) {
  if (news.kind === "whole") return news.rows;
  throw new Error("changes were read before there was anything that could have changed");
}

function changeBetween(before: PoolState | null, after: PoolState, news: Known): Omit<PoolChange, "snapshot"> {
  if (news.kind === "changes") {
    const moved = news.live.filter(({ id }) => news.moved.has(id)).map(touchedBy);
    return { touched: news.touched, moved, ended: news.gone.map(overBy) };
  }
  // How those ended that are gone is not known here; their cards are read again like all the others.
  const gone = Array.from(before?.sessions ?? [], ([, row]) => row).filter((row) => !after.sessions.has(row.id));
  const there = Array.from(after.sessions, ([, row]) => row);
  return { touched: "all", moved: [...there, ...gone].map(touchedBy), ended: [] };
}

function touchedBy({ id, taskId, projectId, userId }: Pick<GoneRow, "id" | "taskId" | "projectId" | "userId">) {
  return { sessionId: id, taskId, projectId, userId };
}

function overBy(row: GoneRow) {
  const { agentId, status, startedAt, endedAt } = row;
  return { ...touchedBy(row), agentId, status, startedAt, endedAt };
}
