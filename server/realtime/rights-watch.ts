/**
 * Keeps what sockets may hear in step with the rows (L1): on a word from the feed at once, and in a sweep every few seconds for
 * everything nobody tells. A look that began earlier never undoes what a later one found.
 */
import { reasonOf } from "../core/text/reason";
import type { Rights } from "../ports/access";
import type { Member } from "./member";

/** Below the 5 s of L1 with room for a slow look. */
const SWEEP_MS = 3_000;

export interface RightsWatch {
  /** Looks at once at the members that match; failures are left to the sweep. */
  look(which: (member: Member) => boolean): void;
  /** Looks at one member now; throws when the rows cannot be read. */
  refresh(member: Member): Promise<void>;
  stop(): void;
}

export function createRightsWatch(
  rights: Rights,
  members: ReadonlyMap<string, Member>,
  warn: (message: string) => void,
): RightsWatch {
  let looks = 0;

  async function check(some: readonly Member[]): Promise<void> {
    if (some.length === 0) return;
    looks += 1;
    const look = looks;
    const vias = some.map(({ caller }) => caller.via);
    const loginIds = vias.flatMap((via) => (via.kind === "cookie" ? [via.loginId] : []));
    const tokenIds = vias.flatMap((via) => (via.kind === "token" ? [via.tokenId] : []));
    const userIds = [...new Set(some.map(({ caller }) => caller.userId))];
    const [alive, projects] = await Promise.all([rights.alive({ loginIds, tokenIds }), rights.projectsOf(userIds)]);
    for (const member of some) {
      const { via, userId } = member.caller;
      if (!member.socket.connected || member.lookedAt > look) continue;
      member.lookedAt = look;
      if (alive.has(via.kind === "cookie" ? via.loginId : via.tokenId)) member.see(projects.get(userId) ?? new Set());
      else member.socket.disconnect(true);
    }
  }

  const attempt = (some: readonly Member[]) =>
    check(some).catch((error: unknown) => warn(`rights could not be read again: ${reasonOf(error)}`));
  let isSweeping = false;
  const sweep = setInterval(() => {
    if (isSweeping) return;
    isSweeping = true;
    void attempt([...members.values()]).finally(() => {
      isSweeping = false;
    });
  }, SWEEP_MS);

  return {
    look: (which) => void attempt([...members.values()].filter(which)),
    refresh: (member) => check([member]),
    stop: () => clearInterval(sweep),
  };
}
