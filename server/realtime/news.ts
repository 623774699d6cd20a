/**
 * Tells sockets that something they read by plain calls was changed (L5): only the topic, so that whoever shows it asks again
 * and gets what they may see. The first word goes out at once, later ones are joined: a hundred people who sign up in a minute
 * do not make every tab read the list a hundred times.
 */
import { NEWS_TOPICS, type NewsTopic } from "../contract/live";
import type { Audience } from "../ports/feed";
import type { Member } from "./member";
import { createPace } from "./pace";

/** At most one message a second. */
const EVERY_MS = 1_000;

export interface News {
  told(topic: NewsTopic, audience: Audience): void;
  /** Anything may have changed unheard: everybody reads everything again. */
  missed(): void;
  stop(): void;
}

export function createNews(members: ReadonlyMap<string, Member>): News {
  const due = new Map<Member, Set<NewsTopic>>();
  const pace = createPace(EVERY_MS, () => {
    for (const [{ socket }, topics] of due) socket.emit("news", { topics: [...topics] });
    due.clear();
  });

  function tell(topics: readonly NewsTopic[], audience: Audience): void {
    for (const member of members.values()) {
      if (!isOf(audience, member)) continue;
      const known = due.get(member) ?? new Set();
      for (const topic of topics) known.add(topic);
      due.set(member, known);
    }
    if (due.size > 0) pace.told();
  }

  return {
    told: (topic, audience) => tell([topic], audience),
    missed: () => tell(NEWS_TOPICS, { kind: "everybody" }),
    stop: pace.stop,
  };
}

function isOf(audience: Audience, { caller, projects }: Member): boolean {
  if (audience.kind === "project") return projects.has(audience.projectId);
  return audience.kind === "everybody" || audience.userId === caller.userId;
}
