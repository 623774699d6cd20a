/**
 * Who reads this page, and what it shows at first: asked once per request, through the door. When the database is away the
 * page comes without first data and fills itself as soon as it is back.
 */
import { headers } from "next/headers";
import { cache } from "react";
import type { FirstPaint } from "@/components/live/first-paint";
import type { AgentList } from "@/server/contract/agents";
import type { Task } from "@/server/contract/tasks";
import { door, type Visitor } from "@/server/door";

export type Visit =
  | { readonly kind: "nobody" }
  | { readonly kind: "visitor"; readonly visitor: Visitor }
  /** Nobody knows at the moment. */
  | { readonly kind: "away" };

export const visit = cache(async (): Promise<Visit> => {
  const asked = await headers();
  try {
    const visitor = await door().visitor(asked);
    return visitor === null ? { kind: "nobody" } : { kind: "visitor", visitor };
  } catch {
    return { kind: "away" };
  }
});

/** Asked once per request: the page's name and what it shows come from the same. */
export const firstPaint = cache(async (): Promise<FirstPaint | null> => {
  const visited = await visit();
  if (visited.kind !== "visitor") return null;
  const { visitor } = visited;
  try {
    const [projects, pool, people] = await Promise.all([visitor.projects(), visitor.pool(), visitor.people()]);
    return { me: visitor.me, projects, pool, people };
  } catch {
    return null;
  }
});

export type BoardVisit =
  | { readonly kind: "not-found" }
  | { readonly kind: "board"; readonly tasks: readonly Task[]; readonly agents: AgentList }
  /** It comes over the live channel. */
  | { readonly kind: "later" };

export const boardVisit = cache(async (projectId: string): Promise<BoardVisit> => {
  const visited = await visit();
  if (visited.kind !== "visitor") return { kind: "later" };
  try {
    const board = await visited.visitor.board(projectId);
    return board === null ? { kind: "not-found" } : { kind: "board", tasks: board.tasks, agents: board.agents };
  } catch {
    return { kind: "later" };
  }
});

export type InvitationVisit =
  /** `email`: the only address that may use it; null: any. */
  | {
      readonly kind: "open";
      readonly email: string | null;
      readonly invitedBy: string;
      readonly project: { readonly id: string; readonly name: string } | null;
    }
  | { readonly kind: "not-valid" }
  /** Nobody knows at the moment: it is found out when the form is sent. */
  | { readonly kind: "unknown" };

export async function invitationVisit(secret: string): Promise<InvitationVisit> {
  await headers();
  try {
    const found = await door().invitation(secret);
    return found === null ? { kind: "not-valid" } : { kind: "open", ...found };
  } catch {
    return { kind: "unknown" };
  }
}

/** Whether accounts can be made here, and whether the next one is the administrator's. */
export async function registration(): Promise<{ readonly isFirst: boolean; readonly isClosed: boolean }> {
  await headers();
  try {
    const { isFirst, policy } = await door().registration();
    return { isFirst, isClosed: policy === "closed" && !isFirst };
  } catch {
    return { isFirst: false, isClosed: false };
  }
}
