/** `/tokens` and `/invitations`: who may come in, and for how much. Secrets leave in the answer that made them. */

import { iso } from "../contract/common";
import type { ApiToken, ApiTokens, Invitation, Invitations } from "../ports/access";
import type { Feed } from "../ports/feed";
import type { Calls } from "./calls";
import { CallRefused } from "./errors";

/** Below the server's address; the page is `app/(account)/invitation/[token]`. */
const INVITATION_PATH = "/invitation/";

export function tokenCalls(calls: Calls, tokens: ApiTokens) {
  const { tokens: call } = calls;
  return call.router({
    list: call.list.handler(async ({ context }) => {
      const items = await tokens.list(context.caller.userId);
      return { items: items.map(tokenView), next: null };
    }),
    make: call.make.handler(async ({ context, input: { name, scope } }) => {
      const made = await tokens.make(context.caller.userId, name, scope);
      if (made === null) throw new CallRefused("CONFLICT", "You have too many tokens: revoke some first.");
      return { ...tokenView(made), token: made.secret };
    }),
    revoke: call.revoke.handler(async ({ context, input: { id } }) => {
      if (!(await tokens.revoke(context.caller.userId, id))) throw notThere();
      return { id };
    }),
  });
}

export function invitationCalls(calls: Calls, invitations: Invitations, feed: Pick<Feed, "accessChanged">) {
  const { invitations: call } = calls;
  return call.router({
    list: call.list.handler(async ({ context, input }) => {
      const items = await invitations.visibleTo(context.caller, input.projectId ?? null);
      return { items: items.map(invitationView), next: null };
    }),
    make: call.make.handler(async ({ context, input: { email, projectId } }) => {
      const wish = { email: email ?? null, projectId: projectId ?? null };
      const made = await invitations.make(context.caller.userId, wish);
      switch (made.kind) {
        case "made": {
          const { invitation, secret, hasAccount, replaced } = made;
          return { ...invitationView(invitation), path: `${INVITATION_PATH}${secret}`, hasAccount, replaced };
        }
        case "needless":
          throw new CallRefused("CONFLICT", needless(wish));
        case "closed":
          throw new CallRefused("REGISTRATION_CLOSED", "Registration is closed here, for guests with a link too.");
        case "too-many":
          throw new CallRefused("CONFLICT", "You have too many open invitations: take some back first.");
        default:
          return made satisfies never;
      }
    }),
    accept: call.accept.handler(async ({ context: { caller }, input: { secret } }) => {
      const accepted = await invitations.accept(secret, caller);
      switch (accepted.kind) {
        case "joined":
          feed.accessChanged(caller.userId);
          return { projectId: accepted.projectId };
        case "not-open":
          throw new CallRefused("NOT_FOUND", "This invitation is not valid: it was used, taken back, or is too old.");
        case "for-another":
          throw new CallRefused("CONFLICT", `This invitation is for ${accepted.email}, and you are ${caller.email}.`);
        case "needless":
          throw new CallRefused("CONFLICT", "You have been let in already: this invitation stays open.");
        default:
          return accepted satisfies never;
      }
    }),
    remove: call.remove.handler(async ({ input: { id } }) => {
      await invitations.remove(id);
      return { id };
    }),
  });
}

function needless({ email, projectId }: { readonly email: string | null; readonly projectId: string | null }): string {
  return projectId === null
    ? `${email} has an account here already.`
    : `${email} has an account here and is a member of the project already.`;
}

function tokenView({ id, name, scope, createdAt, lastUsedAt }: ApiToken) {
  return { id, name, scope, createdAt: iso(createdAt), lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt) };
}

function invitationView({ id, email, projectId, invitedBy, createdAt, expiresAt }: Invitation) {
  return { id, email, projectId, invitedBy, createdAt: iso(createdAt), expiresAt: iso(expiresAt) };
}

function notThere(): CallRefused {
  return new CallRefused("NOT_FOUND", "It is not there, or it is not yours to see.");
}
