/**
 * Projects and who belongs to them. Whoever is taken off, and a project that is removed, take their live sessions with
 * them: that is said first (409 `CONFIRM`) and done after (S6). Branches and repositories are never touched.
 */
import { iso } from "../../contract/common";
import type { Member, Project, ProjectWithNote } from "../../contract/projects";
import { reasonOf } from "../../core/text/reason";
import type { ProjectId, ProjectRole, UserId } from "../../core/words";
import type { Clock } from "../../ports/clock";
import type { Feed } from "../../ports/feed";
import type { MemberChange, ProjectChange, ProjectStore, StoredProject } from "../../ports/project-store";
import type { BaseStanding, Remotes } from "../../ports/remotes";
import type { SessionStore } from "../../ports/session-store";
import type { Workspace } from "../../ports/workspace";
import type { Pool } from "../pool";
import type { Holds } from "../session/holds";
import { cancelAll, confirmEnding } from "./ending-sessions";
import { holdView } from "./hold-view";
import { NOT_THERE, type Refusal, refuse } from "./refusal";
import { moveRepository } from "./repository-change";
import { cutOffIn, findRepository, type NewRepository, obstacleIn, unusable } from "./repository-choice";

/** Projects, or members, in one answer. */
const PAGE = 500;

export interface ProjectDeskParts {
  readonly projects: ProjectStore;
  readonly sessions: Pick<SessionStore, "live">;
  readonly workspace: Pick<
    Workspace,
    "inspect" | "refuseBase" | "refuseOtherFolder" | "makeSample" | "clone" | "moveClone" | "forgetLogin" | "discard"
  > &
    Pick<Remotes, "standing">;
  readonly holds: Pick<Holds, "lift" | "of">;
  readonly pool: Pick<Pool, "cancel">;
  readonly feed: Feed;
  readonly log: { info(message: string): void };
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface NewProjectWish extends NewRepository {
  readonly name: string;
}

export interface ProjectSettings {
  readonly name?: string | undefined;
  readonly repository?: string | undefined;
  readonly baseBranch?: string | undefined;
  readonly longestRunSeconds?: number | undefined;
  readonly quietNoticeSeconds?: number | undefined;
  readonly setupScript?: string | null | undefined;
}

export type ProjectDesk = ReturnType<typeof createProjectDesk>;

export function createProjectDesk(parts: ProjectDeskParts) {
  const { projects, sessions, workspace, holds, pool, feed, clock } = parts;

  /** Nothing of a project that did not come about stays. When nobody can tell whether it did, everything does. */
  async function discardUnless(id: ProjectId, error: unknown): Promise<never> {
    const isThere = await projects.project(id).then(
      (found) => found !== null,
      () => true,
    );
    if (!isThere) await workspace.discard(id);
    throw error;
  }

  async function projectWithNote(id: ProjectId, role: ProjectRole): Promise<ProjectWithNote | Refusal> {
    const found = await projects.project(id);
    if (found === null) return NOT_THERE;
    const [facts, standing, held] = await Promise.all([
      workspace.inspect(found.path),
      workspace.standing(found.path, found.baseBranch),
      holds.of("repository"),
    ]);
    const path = facts.kind === "ok" ? facts.path : found.path;
    const apart = standing?.kind === "remote" ? standing.apart : null;
    const looked = { note: obstacleIn(facts) ?? apart, cutOff: cutOffIn(facts), remote: remoteView(standing), path };
    return { ...projectView(found, role, held), ...looked };
  }

  /** Only what is new is looked at: a branch that went away is no reason to refuse another change. */
  async function refuseNewBase(found: StoredProject, baseBranch: string | undefined): Promise<Refusal | null> {
    if (baseBranch === undefined || found.baseBranch === baseBranch) return null;
    const wrongBase = await workspace.refuseBase(found.path, baseBranch);
    return wrongBase === null ? null : unusable(wrongBase, "baseBranch");
  }

  async function memberAs(id: ProjectId, userId: UserId): Promise<Member | Refusal> {
    const members = await projects.members(id, null, Number.MAX_SAFE_INTEGER);
    const member = members.find((one) => one.userId === userId);
    return member ? memberView(member) : NOT_THERE;
  }

  return {
    /** What the rows say; the repository is not looked at. */
    async project(id: ProjectId, role: ProjectRole): Promise<Project | Refusal> {
      const found = await projects.project(id);
      return found === null ? NOT_THERE : projectView(found, role, await holds.of("repository"));
    },
    projectWithNote,
    async list(userId: UserId, after: ProjectId | null) {
      const [found, held] = await Promise.all([projects.ofUser(userId, after, PAGE), holds.of("repository")]);
      const items = found.map((one) => projectView(one.project, one.role, held));
      return { items, next: items.length === PAGE ? (items.at(-1)?.id ?? null) : null };
    },
    /** `givenUp`: by who asked; nothing stays then. */
    async create(userId: UserId, wish: NewProjectWish, givenUp?: AbortSignal): Promise<ProjectWithNote | Refusal> {
      const id = parts.newId();
      const found = await findRepository(workspace, id, wish, givenUp);
      if (found.kind === "refused") return found;
      if (givenUp?.aborted) {
        await workspace.discard(id);
        return refuse("CONFLICT", "This was given up before it was done.");
      }
      const { repository, path, baseBranch } = found;
      const settings = { longestRunMs: 7_200_000, quietNoticeMs: 300_000, setupScript: null, hasGitHub: false };
      const made = { id, name: wish.name, repository, path, baseBranch, ...settings, createdAt: clock.now() };
      await projects.create(made, userId).catch((error: unknown) => discardUnless(id, error));
      feed.accessChanged(userId);
      return projectWithNote(id, "owner");
    },
    async change(
      id: ProjectId,
      role: ProjectRole,
      settings: ProjectSettings,
      givenUp?: AbortSignal,
    ): Promise<ProjectWithNote | Refusal> {
      const found = await projects.project(id);
      if (found === null) return NOT_THERE;
      const { repository = found.repository, baseBranch = found.baseBranch } = settings;
      const moved = await moveRepository(parts, found, { repository, baseBranch, givenUp });
      if (moved?.kind === "refused") return moved;
      const wrongBase = moved === null ? await refuseNewBase(found, settings.baseBranch) : null;
      if (wrongBase !== null) return wrongBase;
      const place = moved === null ? {} : { repository: moved.repository, path: moved.path };
      await projects.change(id, { ...storedSettings(settings), ...place });
      // Whatever was wrong with the one before is no reason to wait any more (A8).
      if (moved !== null) await holds.lift("repository", id);
      return projectWithNote(id, role);
    },
    async remove(userId: UserId, id: ProjectId, isConfirmed: boolean): Promise<Refusal | null> {
      const asked = confirmEnding(await sessions.live({ projectId: id }), isConfirmed, "Removing the project");
      if (asked !== null) return asked;
      await projects.remove(id, clock.now());
      // After the removal nobody can dispatch here any more: what lives now is all there is.
      await cancelAll(pool, await sessions.live({ projectId: id }), userId);
      await workspace
        .forgetLogin(id)
        .catch((error: unknown) => parts.log.info(`the login of project ${id} was not removed: ${reasonOf(error)}`));
      feed.projectGone(id);
      return null;
    },
    async members(id: ProjectId, after: UserId | null) {
      const found = await projects.members(id, after, PAGE);
      return { items: found.map(memberView), next: found.length === PAGE ? (found.at(-1)?.userId ?? null) : null };
    },
    /** `isJoining`: an administrator who had no part in the project takes one, which leaves a trace (S2). */
    async setMember(id: ProjectId, userId: UserId, role: ProjectRole, isJoining: boolean): Promise<Member | Refusal> {
      const refusal = memberRefusal(await projects.setMember(id, userId, role, clock.now()));
      if (refusal !== null) return refusal;
      if (isJoining) parts.log.info(`the administrator ${userId} joined project ${id} as ${role}`);
      feed.accessChanged(userId);
      return memberAs(id, userId);
    },
    async removeMember(by: UserId, id: ProjectId, userId: UserId, isConfirmed: boolean): Promise<Refusal | null> {
      const theirs = { projectId: id, userId };
      const asked = confirmEnding(await sessions.live(theirs), isConfirmed, "Taking this person off");
      const refusal = memberRefusal(await projects.removeMember(id, userId, { isTrial: asked !== null }));
      if (refusal !== null) return refusal;
      if (asked !== null) return asked;
      feed.accessChanged(userId);
      await cancelAll(pool, await sessions.live(theirs), by);
      return null;
    },
  };
}

function memberRefusal(change: MemberChange): Refusal | null {
  switch (change) {
    case "changed":
      return null;
    case "no-such-user":
      return refuse("NOT_FOUND", "There is no such person, or the account is not active.");
    case "no-such-member":
      return refuse("NOT_FOUND", "This person is not a member.");
    case "last-owner":
      return refuse("LAST_OWNER", "A project needs an owner: make somebody else an owner first.");
    default:
      return change satisfies never;
  }
}

function storedSettings(settings: ProjectSettings): ProjectChange {
  const { name, baseBranch, longestRunSeconds, quietNoticeSeconds, setupScript: script } = settings;
  const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1_000);
  // Browsers send line breaks as two characters, which bash takes for a part of the last word.
  const setupScript = script?.trim() === "" ? null : script?.replaceAll("\r\n", "\n");
  const limits = { longestRunMs: ms(longestRunSeconds), quietNoticeMs: ms(quietNoticeSeconds) };
  return { name, baseBranch, ...limits, setupScript: script === null ? null : setupScript };
}

function projectView(project: StoredProject, role: ProjectRole, held: Awaited<ReturnType<Holds["of"]>>): Project {
  const { id, name, repository, baseBranch, longestRunMs, quietNoticeMs, setupScript, hasGitHub } = project;
  const longestRunSeconds = Math.round(longestRunMs / 1_000);
  const quietNoticeSeconds = Math.round(quietNoticeMs / 1_000);
  const limits = { longestRunSeconds, quietNoticeSeconds };
  return {
    id,
    name,
    repository,
    baseBranch,
    role,
    ...limits,
    setupScript,
    hasGitHub,
    hold: holdView(held.get(id)),
    createdAt: iso(project.createdAt),
  };
}

function remoteView(standing: BaseStanding | null): ProjectWithNote["remote"] {
  if (standing?.kind !== "remote") return standing;
  return { ...standing, unpushed: standing.unpushed && [...standing.unpushed] };
}

function memberView(member: {
  userId: UserId;
  name: string;
  email: string;
  role: ProjectRole;
  addedAt: number;
}): Member {
  const { userId, name, email, role, addedAt } = member;
  return { userId, name, email, role, addedAt: iso(addedAt) };
}
