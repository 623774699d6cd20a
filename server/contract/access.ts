/** API tokens and invitations on the wire. Their secrets go out once, in the answer that made them. */
import { z } from "zod";
import { id, listOf, name, time } from "./common";
import { SCOPES } from "./needs";

const EMAIL_MAX = 254;
/** Longest secret of a link that is looked at, in characters; ours are shorter. */
const SECRET_MAX = 200;

const scope = z.enum(SCOPES);

export const token = z.object({ id, name: z.string(), scope, createdAt: time, lastUsedAt: time.nullable() });
export const newToken = z.strictObject({ name, scope });
/** `token` is the token itself: shown now and never again (S5). */
export const madeToken = token.extend({ token: z.string() });

export const invitation = z.object({
  id,
  /** Null: for whoever holds the link. */
  email: z.string().nullable(),
  /** The project its guest becomes a member of; null: none. */
  projectId: id.nullable(),
  invitedBy: id,
  createdAt: time,
  expiresAt: time,
});
export const newInvitation = z.strictObject({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(EMAIL_MAX, "The email address is too long.")
    .pipe(z.email("This is not an email address."))
    .nullish(),
  projectId: id.nullish(),
});
/** `path` is the link, below this server's address: shown now and never again. */
export const madeInvitation = invitation.extend({
  path: z.string(),
  /** The address has an account here: the link lets it into the project. */
  hasAccount: z.boolean(),
  /** There was an open link for this address: it is of no use any more. */
  replaced: z.boolean(),
});
/** `secret`: the last part of the link. */
export const acceptedInvitation = z.strictObject({ secret: z.string().min(1).max(SECRET_MAX) });
export const joinedProject = z.object({ projectId: id });

export const tokenList = listOf(token);
export const invitationList = listOf(invitation);
export type Token = z.infer<typeof token>;
export type InvitationView = z.infer<typeof invitation>;
