/**
 * Who may make an account (S4) and who becomes the administrator: the oldest person, as long as there is none. That is
 * decided in one statement under a lock, so two first sign-ups at once still make one administrator, and a crash between
 * the two rows heals at the next call.
 */
import { sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { users } from "../../drizzle/schema/people";
import type { RegistrationPolicy } from "../contract/accounts";
import type { Claim, InvitationDesk } from "./invitations";

/** Any number no other lock of ours uses. */
const FIRST_ADMIN_LOCK = 7_264_001;

export type Admission =
  | { readonly kind: "welcome"; readonly claim: Claim | null }
  /** One sentence that says why not. */
  | { readonly kind: "refused"; readonly sentence: string };

export interface Registration {
  /** An invitation is used up by being admitted: `settle` it, whatever came of it. */
  admit(email: string, invitation: string | undefined): Promise<Admission>;
  settle(claim: Claim | null, email: string, hasAccount: boolean): Promise<void>;
  appointFirstAdmin(): Promise<void>;
}

export function createRegistration(
  db: PostgresJsDatabase,
  policy: RegistrationPolicy,
  invitations: InvitationDesk,
): Registration {
  return {
    async admit(email, invitation) {
      if (policy === "closed") return refused("Registration is closed here. Ask an administrator.");
      if (policy === "invitation") {
        const [anybody] = await db.select({ id: users.id }).from(users).limit(1);
        if (!anybody) return { kind: "welcome", claim: null };
        if (invitation === undefined) return refused("One needs an invitation to register here. Ask an administrator.");
      }
      if (invitation === undefined) return { kind: "welcome", claim: null };
      const claim = await invitations.claim(invitation, email);
      return claim === null ? refused(NOT_VALID) : { kind: "welcome", claim };
    },
    async settle(claim, email, hasAccount) {
      if (claim !== null) await (hasAccount ? invitations.join(claim, email) : invitations.giveBack(claim));
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

const NOT_VALID = "This invitation is not valid any more, or is for another address.";

function refused(sentence: string): Admission {
  return { kind: "refused", sentence };
}
