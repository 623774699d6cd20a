/**
 * Invitations (S4): a link that makes one account, or lets one that is there into a project, within a week, for as long as
 * whoever made it might still invite. Only the secret's hash is kept. It is used up before the account is made, so it never
 * makes two, wherever we die. An address has one open link per place: the newest.
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { invitations, users } from "../../drizzle/schema/people";
import { projectMembers, projects } from "../../drizzle/schema/projects";
import type { RegistrationPolicy } from "../contract/accounts";
import type { ProjectId, UserId } from "../core/words";
import type { Accepted, Caller, Invitation, Invitations } from "../ports/access";

const SECRET_BYTES = 32;
const VALID_DAYS = 7;
/** Open invitations of one person. */
const OPEN_MAX = 200;
/** Any number no other lock of ours uses. */
const INVITING_LOCK = 7_264_002;

/** An invitation that is being used: given back when no account came of it. */
export interface Claim {
  readonly id: string;
  readonly projectId: ProjectId | null;
}

export interface InvitationDesk extends Invitations {
  /** Uses it up; null: it is not open, or is for another address. Of many at once one gets it. */
  claim(secret: string, email: string): Promise<Claim | null>;
  giveBack(claim: Claim): Promise<void>;
  /** The new person becomes a member where they were invited to. */
  join(claim: Claim, email: string): Promise<void>;
}

export function createInvitations(db: PostgresJsDatabase, policy: RegistrationPolicy): InvitationDesk {
  return {
    async make(by, { email, projectId }) {
      if (policy === "closed") return { kind: "closed" };
      const open = await db.$count(invitations, and(eq(invitations.invitedBy, by), isOpen()));
      if (open >= OPEN_MAX) return { kind: "too-many" };
      const guest = email === null ? null : await personWith(db, email);
      const hasAccount = guest !== null;
      if (guest !== null && (projectId === null || (await isMember(db, projectId, guest)))) return { kind: "needless" };
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const values = { id: randomUUID(), hash: hashOf(secret), email, projectId, invitedBy: by, expiresAt: inDays() };
      return db.transaction(async (tx) => {
        const replaced = email !== null && (await withdrawOpen(tx, email, projectId));
        const [row] = await tx.insert(invitations).values(values).returning();
        if (!row) throw new Error("an invitation was stored and is not there");
        return { kind: "made", invitation: stored(row), secret, hasAccount, replaced };
      });
    },
    async visibleTo({ userId, role }, projectId) {
      const isMine = eq(invitations.invitedBy, userId);
      const isOfMyProject = sql`${invitations.projectId} in (${ownedBy(userId)})`;
      const isOfHouse = role === "admin" ? isNull(invitations.projectId) : undefined;
      const ofProject = projectId === null ? undefined : eq(invitations.projectId, projectId);
      const rows = await db
        .select()
        .from(invitations)
        .where(and(isOpen(), or(isMine, isOfMyProject, isOfHouse), ofProject))
        .orderBy(desc(invitations.createdAt), invitations.id);
      return rows.map(stored);
    },
    async invitation(id) {
      const [row] = await db
        .select()
        .from(invitations)
        .where(and(eq(invitations.id, id), isOpen()));
      return row ? stored(row) : null;
    },
    async remove(id) {
      await db.delete(invitations).where(and(eq(invitations.id, id), isNull(invitations.acceptedAt)));
    },
    async look(secret) {
      if (policy === "closed") return null;
      const [found] = await db
        .select({
          email: invitations.email,
          invitedBy: users.name,
          project: { id: projects.id, name: projects.name },
        })
        .from(invitations)
        .innerJoin(users, eq(users.id, invitations.invitedBy))
        .leftJoin(projects, eq(projects.id, invitations.projectId))
        .where(and(eq(invitations.hash, hashOf(secret)), isOpen()));
      return found ?? null;
    },
    claim: (secret, email) => claim(db, secret, email),
    async accept(secret, by) {
      if (policy === "closed") return { kind: "not-open" };
      return db.transaction(async (tx) => {
        const [found] = await tx
          .select({ email: invitations.email, projectId: invitations.projectId })
          .from(invitations)
          .where(and(eq(invitations.hash, hashOf(secret)), isOpen()));
        if (!found) return { kind: "not-open" };
        return accept(tx, secret, by, found);
      });
    },
    async giveBack({ id }) {
      await db.update(invitations).set({ acceptedAt: null, acceptedBy: null }).where(eq(invitations.id, id));
    },
    join: (claimed, email) => join(db, claimed, email),
  };
}

type Rows = Pick<PostgresJsDatabase, "select" | "update" | "delete" | "execute" | "$count">;

async function accept(
  tx: Rows,
  secret: string,
  { userId, email }: Pick<Caller, "userId" | "email">,
  found: { readonly email: string | null; readonly projectId: ProjectId | null },
): Promise<Accepted> {
  const { projectId } = found;
  if (found.email !== null && found.email.toLowerCase() !== email.toLowerCase()) {
    return { kind: "for-another", email: found.email };
  }
  if (projectId === null || (await isMember(tx, projectId, userId))) return { kind: "needless" };
  const claimed = await claim(tx, secret, email);
  if (claimed === null) return { kind: "not-open" };
  await join(tx, claimed, email);
  return { kind: "joined", projectId };
}

async function claim(rows: Rows, secret: string, email: string): Promise<Claim | null> {
  const isTheirs = or(isNull(invitations.email), sql`lower(${invitations.email}) = ${email.toLowerCase()}`);
  const [claimed] = await rows
    .update(invitations)
    .set({ acceptedAt: sql`now()`, acceptedBy: email })
    .where(and(eq(invitations.hash, hashOf(secret)), isOpen(), isTheirs))
    .returning({ id: invitations.id, projectId: invitations.projectId });
  return claimed ?? null;
}

async function join(rows: Rows, { projectId }: Claim, email: string): Promise<void> {
  if (projectId === null) return;
  await rows.execute(sql`
    insert into ${projectMembers} (project_id, user_id, role)
    select ${projectId}, u.id, 'member' from ${users} u where u.email = ${email}
    on conflict do nothing`);
}

/** Takes back what is open for this address in this place; true: there was one. Of two at once one comes after the other. */
async function withdrawOpen(tx: Rows, email: string, projectId: ProjectId | null): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${INVITING_LOCK}, hashtext(${email}))`);
  const isSamePlace = projectId === null ? isNull(invitations.projectId) : eq(invitations.projectId, projectId);
  const gone = await tx
    .delete(invitations)
    .where(and(eq(invitations.email, email), isSamePlace, isOpen()))
    .returning({ id: invitations.id });
  return gone.length > 0;
}

async function personWith(rows: Rows, email: string): Promise<UserId | null> {
  const [found] = await rows
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = ${email.toLowerCase()}`);
  return found?.id ?? null;
}

async function isMember(rows: Rows, projectId: ProjectId, userId: UserId): Promise<boolean> {
  const theirs = and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId));
  return (await rows.$count(projectMembers, theirs)) > 0;
}

function inDays(): SQL {
  return sql`now() + make_interval(days => ${VALID_DAYS})`;
}

/** Not used, not too old, and its maker may still invite there: an administrator, or an owner of the project. */
function isOpen(): SQL | undefined {
  const maker = sql`select 1 from ${users} u where u.id = ${invitations.invitedBy} and u.active and (
    ${invitations.projectId} is not null or u.role = 'admin')`;
  const isOwners = sql`${invitations.projectId} in (${ownedBy(invitations.invitedBy)})`;
  return and(
    isNull(invitations.acceptedAt),
    gt(invitations.expiresAt, sql`now()`),
    sql`exists (${maker})`,
    or(isNull(invitations.projectId), isOwners),
  );
}

function ownedBy(userId: UserId | typeof invitations.invitedBy): SQL {
  return sql`select m.project_id from ${projectMembers} m join ${projects} p on p.id = m.project_id
    where m.user_id = ${userId} and m.role = 'owner' and p.deleted_at is null`;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function stored(row: typeof invitations.$inferSelect): Invitation {
  const { id, email, projectId, invitedBy, createdAt, expiresAt } = row;
  return { id, email, projectId, invitedBy, createdAt: createdAt.getTime(), expiresAt: expiresAt.getTime() };
}
