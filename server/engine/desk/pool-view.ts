/** The pool's picture in the contract's shape, as far as one person may see it (L4). Everything from one snapshot (P13). */
import { POOL_SESSIONS_MAX } from "../../contract/common";
import type { PoolPicture, UserLine } from "../../contract/pool";
import { poolHead, poolSessionView, seatView } from "../../contract/pool-view";
import type { PoolSnapshot } from "../../core/pool/picture";
import type { ProjectId, UserId } from "../../core/words";

/** Live sessions looked through for those a person may see. */
const LOOKED_THROUGH_MAX = 20_000;

export function poolPicture(snapshot: PoolSnapshot, visible: ReadonlySet<ProjectId>): PoolPicture {
  const looked = snapshot.sessions(LOOKED_THROUGH_MAX);
  const shown = looked.filter((session) => visible.has(session.projectId));
  const seats = looked.map((session) => [String(session.seat), seatView(session)] as const);
  const sessions = shown.slice(0, POOL_SESSIONS_MAX).map((session) => [session.id, poolSessionView(session)] as const);
  return {
    ...poolHead(snapshot),
    limits: Object.fromEntries(snapshot.limits),
    users: Object.fromEntries(Array.from(snapshot.users(), ([id, counts]) => [id, { ...counts }])),
    held: Object.fromEntries(snapshot.held()),
    seats: Object.fromEntries(seats.flatMap(([chair, seat]) => (seat === null ? [] : [[chair, seat]]))),
    sessions: Object.fromEntries(sessions),
    truncated: shown.length > POOL_SESSIONS_MAX || looked.length === LOOKED_THROUGH_MAX,
  };
}

/** One person's line; what lies in projects the reader may not see is only counted. */
export function userLineView(snapshot: PoolSnapshot, userId: UserId, visible: ReadonlySet<ProjectId>): UserLine {
  const { running, queued, max } = snapshot.user(userId);
  const shown = snapshot
    .line(userId)
    .filter(({ projectId }) => visible.has(projectId))
    .slice(0, POOL_SESSIONS_MAX);
  const seated = shown.filter(({ status }) => status === "running").length;
  return {
    userId,
    running,
    queued,
    max,
    sessions: shown.map((session) => ({ id: session.id, ...poolSessionView(session) })),
    elsewhere: { running: running - seated, queued: queued - (shown.length - seated) },
  };
}
