/** The pool's picture in the contract's shape, as far as one person may see it (L4). Everything from one snapshot (P13). */
import { POOL_SESSIONS_MAX } from "../contract/common";
import type { PoolPicture, PoolSession } from "../contract/pool";
import type { LiveSession, PoolSnapshot } from "../core/pool/picture";
import type { ProjectId } from "../core/words";
import { iso, waitingForView } from "./session-view";

/** Live sessions looked through for those a person may see. */
const LOOKED_THROUGH_MAX = 20_000;

export function poolPicture(snapshot: PoolSnapshot, visible: ReadonlySet<ProjectId>): PoolPicture {
  const looked = snapshot.sessions(LOOKED_THROUGH_MAX);
  const shown = looked.filter((session) => visible.has(session.projectId));
  const seated = looked.flatMap(({ seat, userId, phase }) =>
    seat === null ? [] : [[String(seat), { userId, isStarting: phase === "starting" }] as const],
  );
  const users = [...snapshot.users()].map(([id, counts]) => [id, { ...counts }] as const);
  const sessions = shown.slice(0, POOL_SESSIONS_MAX).map((session) => [session.id, poolSession(session)] as const);
  return {
    epoch: snapshot.epoch,
    version: snapshot.version,
    at: iso(snapshot.at),
    paused: snapshot.paused,
    isReady: snapshot.isReady,
    global: { ...snapshot.global },
    users: Object.fromEntries(users),
    seats: Object.fromEntries(seated),
    sessions: Object.fromEntries(sessions),
    truncated: shown.length > POOL_SESSIONS_MAX || looked.length === LOOKED_THROUGH_MAX,
  };
}

function poolSession(session: LiveSession): PoolSession {
  const { id: _id, agentId: _agentId, waitingFor, startsIn, queuedAt, startedAt, ...same } = session;
  return {
    ...same,
    waitingFor: waitingFor === null ? null : waitingForView(waitingFor),
    startsIn: startsIn === null ? null : { ...startsIn },
    queuedAt: iso(queuedAt),
    startedAt: startedAt === null ? null : iso(startedAt),
  };
}
