/** The contract, ready to be implemented: every call goes through the gate first, and what it changed is told when it is done. */
import { implement } from "@orpc/server";
import { NEWS_TOPICS, type NewsTopic } from "../contract/live";
import type { CallMeta } from "../contract/needs";
import { contract } from "../contract/router";
import type { Caller } from "../ports/access";
import type { Audience, Feed } from "../ports/feed";
import type { CallContext } from "./context";
import { CallRefused } from "./errors";
import { admit, type GateParts, type GivenIds } from "./gate";

export type Calls = ReturnType<typeof createCalls>;

export function createCalls(parts: GateParts & { readonly feed: Pick<Feed, "news"> }) {
  return implement(contract)
    .$context<CallContext>()
    .use(async ({ context, procedure, path, next }, input: unknown) => {
      const { caller } = context;
      if (caller === null) throw new CallRefused("UNAUTHORIZED", "Sign in first.");
      const { meta, route } = procedure["~orpc"];
      const given = idsOf(input, route.inputStructure === "detailed");
      const standing = await admit(parts, caller, meta as CallMeta, given);
      const result = await next({ context: { caller, standing } });
      const topic = NEWS_TOPICS.find((one) => one === path[0]);
      if (topic !== undefined && route.method !== "GET") parts.feed.news(topic, audienceOf(topic, caller, given));
      return result;
    });
}

/** Who may see what such a call changes. A project that was made is its maker's only, as nobody else is in it. */
function audienceOf(topic: NewsTopic, { userId }: Caller, { id }: GivenIds): Audience {
  if (topic !== "tokens" && topic !== "projects") return { kind: "everybody" };
  return topic === "projects" && typeof id === "string"
    ? { kind: "project", projectId: id }
    : { kind: "person", userId };
}

function idsOf(input: unknown, isDetailed: boolean): GivenIds {
  const flat = recordOf(input);
  const params = isDetailed ? recordOf(flat.params) : flat;
  const body = isDetailed ? recordOf(flat.body) : flat;
  return { id: params.id, userId: params.userId, projectId: body.projectId };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
