/** Which plain answers are no longer right when somebody changed something (L5). */
import type { QueryClient } from "@tanstack/react-query";
import type { NewsTopic } from "@/server/contract/live";
import { api } from "../api";

/** Names, roles and memberships stand in answers of other parts as well. */
const STALE: Record<NewsTopic, () => readonly (readonly unknown[])[]> = {
  users: () => [api.users.key(), api.me.key(), api.projects.members.key()],
  projects: () => [api.projects.key()],
  agents: () => [api.agents.key(), api.runner.key()],
  settings: () => [api.settings.key()],
  pool: () => [api.pool.key()],
  tokens: () => [api.tokens.key()],
  invitations: () => [api.invitations.key(), api.projects.members.key()],
};

/** What is on the screen is read again now, everything else when it is opened. */
export function readAgain(cache: QueryClient, topics: readonly NewsTopic[]): void {
  for (const topic of topics) {
    // A server of another version may know more topics.
    for (const queryKey of STALE[topic]?.() ?? []) void cache.invalidateQueries({ queryKey });
  }
}
