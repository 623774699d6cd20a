/**
 * Who may make an account (S4) and who becomes the administrator: the oldest person, as long as there is none. That is
 * decided in one statement under a lock, so two first sign-ups at once still make one administrator, and a crash between
 * the two rows heals at the next call.
 */
import { createHash } from "node:crypto";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { invitations, users } from "../../drizzle/schema/people";

export type RegistrationPolicy = "open" | "invitation" | "closed";

/** Any number no other lock of ours uses. */
const FIRST_ADMIN_LOCK = 7_264_001;

export interface Registration {
  /** Null: welcome. Otherwise the sentence that says why not. */
  refusal(email: string, invitation: string | undefined): Promise<string | null>;
  /** The invitation is used up by this person. */
  accept(invitation: string, email: string): Promise<void>;
  appointFirstAdmin(): Promise<void>;
}

export function createRegistration(db: PostgresJsDatabase, policy: RegistrationPolicy): Registration {
  const openInvitation = (secret: string) =>
    and(
      eq(invitations.hash, createHash("sha256").update(secret).digest("hex")),
      isNull(invitations.acceptedAt),
      gt(invitations.expiresAt, sql`now()`),
    );

  return {
    async refusal(email, invitation) {
      if (policy === "open") return null;
      if (policy === "closed") return "Registration is closed here. Ask an administrator.";
      const [anybody] = await db.select({ id: users.id }).from(users).limit(1);
      if (!anybody) return null;
      if (invitation === undefined) return "One needs an invitation to register here. Ask an administrator.";
      const [open] = await db.select().from(invitations).where(openInvitation(invitation));
      const isTheirs = open && (open.email === null || open.email.toLowerCase() === email);
      return isTheirs ? null : "This invitation is not valid any more, or is for another address.";
    },
    async accept(invitation, email) {
      await db.update(invitations).set({ acceptedBy: email, acceptedAt: sql`now()` }).where(openInvitation(invitation));
    },
    async appointFirstAdmin() {
      await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`);
        await tx.execute(sql`
          update ${users} set role = 'admin'
          where id = (select id from ${users} where active order by created_at, id limit 1)
            and not exists (select 1 from ${users} where role = 'admin')`);
      });
    },
  };
}
