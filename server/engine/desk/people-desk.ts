/** People: their counts, their profile, and what administrators change about them (B8, S2). */
import { iso } from "../../contract/common";
import type { Me, Person, Profile } from "../../contract/people";
import { usageFrom } from "../../core/agent/usage";
import type { PoolSnapshot } from "../../core/pool/picture";
import type { InstallationRole, SessionId, UserId } from "../../core/words";
import type { Caller, Passwords } from "../../ports/access";
import type { Clock } from "../../ports/clock";
import type { Feed } from "../../ports/feed";
import type { PastSession, PeopleStore, StoredPerson } from "../../ports/people-store";
import type { SessionStore } from "../../ports/session-store";
import type { Pool } from "../pool";
import { cancelAll, confirmEnding } from "./ending-sessions";
import { NOT_THERE, type Refusal, refuse } from "./refusal";

/** People in one answer. */
const PAGE = 500;
/** Ended sessions on a profile, and in one answer about more of them. */
const HISTORY = 50;

export interface PeopleDeskParts {
  readonly people: PeopleStore;
  readonly sessions: Pick<SessionStore, "live">;
  readonly pool: Pick<Pool, "snapshot" | "cancel">;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly log: { info(message: string): void };
  /** In which days begin. */
  readonly timeZone: string;
}

export interface PersonChange {
  readonly role?: InstallationRole | undefined;
  readonly active?: boolean | undefined;
}

export type PeopleDesk = ReturnType<typeof createPeopleDesk>;

export function createPeopleDesk({ people, sessions, pool, feed, clock, log, timeZone }: PeopleDeskParts) {
  async function profile(viewer: Caller, id: UserId): Promise<{ profile: Profile; snapshot: PoolSnapshot } | Refusal> {
    const person = await people.person(id);
    if (person === null) return refuse("NOT_FOUND", "There is no such person.");
    const [usage, history] = await Promise.all([people.usage(id, clock.now(), timeZone), pastOf(viewer, id, null)]);
    const snapshot = pool.snapshot();
    const agentSeconds = usage.agentSeconds.map((day) => ({ ...day }));
    const waitDays = usage.waitDays.map((day) => ({ ...day }));
    const seen = { ...personView(viewer, person, snapshot), wait: usage.wait, waitDays, agentSeconds };
    return { profile: { ...seen, history: history.items, historyNext: history.next }, snapshot };
  }

  async function pastOf(viewer: Caller, id: UserId, after: SessionId | null) {
    const found = await people.history(id, viewer.userId, after, HISTORY + 1);
    const items = found.slice(0, HISTORY).map(pastView);
    return { items, next: found.length > HISTORY ? (items.at(-1)?.sessionId ?? null) : null };
  }

  return {
    profile,
    async history(viewer: Caller, id: UserId, after: SessionId | null) {
      if ((await people.person(id)) === null) return refuse("NOT_FOUND", "There is no such person.");
      return pastOf(viewer, id, after);
    },
    person: (id: UserId) => people.person(id),
    me(caller: Caller): { me: Me; snapshot: PoolSnapshot } {
      const { userId: id, name, email, role } = caller;
      const snapshot = pool.snapshot();
      return { me: { id, name, email, role, ...countsOf(snapshot, id) }, snapshot };
    },
    async list(viewer: Caller, after: UserId | null) {
      const found = await people.people(after, PAGE);
      const snapshot = pool.snapshot();
      const items = found.map((person) => personView(viewer, person, snapshot));
      return { items, next: items.length === PAGE ? (items.at(-1)?.id ?? null) : null, snapshot };
    },
    async change(by: Caller, id: UserId, change: PersonChange, isConfirmed: boolean): Promise<Refusal | null> {
      const isLeaving = change.active === false;
      const live = isLeaving ? await sessions.live({ userId: id }) : [];
      const asked = confirmEnding(live, isConfirmed, "Deactivating this person");
      // What would be refused anyhow is refused before anybody is asked to confirm it.
      const changed = await people.change(id, change, { isTrial: asked !== null });
      if (changed.kind !== "changed") return changed.kind === "gone" ? NOT_THERE : LAST_ADMIN;
      if (asked !== null) return asked;
      // Before their logins end: a tab is told why, and not only that its login is gone.
      if (isLeaving) feed.personDeactivated(id);
      for (const login of changed.endedLogins) feed.loginEnded(login);
      feed.accessChanged(id);
      if (isLeaving) await cancelAll(pool, await sessions.live({ userId: id }), by.userId);
      return null;
    },
    /** Whoever has it may come in as that person, which leaves a trace. */
    async renewPassword(by: Caller, id: UserId, passwords: Passwords): Promise<{ password: string } | Refusal> {
      if (id === by.userId)
        return refuse("CONFLICT", "This is your own account: change its password on the Account page.");
      if ((await people.person(id)) === null) return refuse("NOT_FOUND", "There is no such person.");
      const password = await passwords.renew(id);
      log.info(`the administrator ${by.userId} gave ${id} a new password`);
      return { password };
    },
  };
}

const LAST_ADMIN = refuse("LAST_ADMIN", "There has to be an active administrator: make somebody else one first.");

/** An address is for its owner and for administrators; team-mates find it among a project's members. */
function personView(viewer: Caller, person: StoredPerson, snapshot: PoolSnapshot): Person {
  const isShown = viewer.role === "admin" || viewer.userId === person.id;
  return { ...person, email: isShown ? person.email : null, ...countsOf(snapshot, person.id) };
}

function countsOf(snapshot: PoolSnapshot, id: UserId) {
  const { running, queued, max } = snapshot.user(id);
  return { running, queued, max };
}

function pastView(past: PastSession): Profile["history"][number] {
  const startedAt = past.startedAt === null ? null : iso(past.startedAt);
  const usage = usageFrom(past.usage);
  return { ...past, usage, queuedAt: iso(past.queuedAt), startedAt, finishedAt: iso(past.finishedAt) };
}
