import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PoolPicture } from "@/server/contract/pool";
import type { Member, Project } from "@/server/contract/projects";
import { contract } from "@/server/contract/router";
import { deleteTask } from "../board/card-moves";
import { sampleLive, samplePool, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { questionSlot } from "../ui/ask";
import { Members } from "./members";

const AT = "2026-01-01T12:00:00.000Z";
const project: Project = {
  id: "p",
  name: "Shop",
  repository: "/srv/shop",
  baseBranch: "main",
  role: "owner",
  longestRunSeconds: 7_200,
  quietNoticeSeconds: 90,
  setupScript: null,
  hasGitHub: false,
  hold: null,
  createdAt: AT,
};
const ben: Member = { userId: "ben", name: "Ben", email: "ben@example.org", role: "member", addedAt: AT };
const STOPS = "Taking this person off stops 2 running sessions and withdraws 2 waiting sessions. Branches are kept.";
const LOSES = "1 file of the last session was not committed: deleting the task loses sight of it.";

/** What the server would have confirmed; null: nothing lives. */
let named: string | null;
const sent: string[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith("/me")) return Response.json({ id: "ada", name: "Ada", role: "member" });
    if (request.method === "GET")
      return Response.json({ items: pathname.endsWith("/members") ? [ben] : [], next: null });
    sent.push(`${request.method} ${pathname}${search}`);
    if (named === null || search !== "") return Response.json({ id: "x" });
    return Response.json({ code: "CONFIRM", message: named }, { status: 409 });
  });
});
afterEach(() => {
  cleanup();
  questionSlot.close();
  vi.unstubAllGlobals();
});

async function answer(isYes: boolean): Promise<string> {
  const question = await waitFor(() => questionSlot.held() ?? expect.fail("nothing was asked"));
  questionSlot.close();
  question.answer(isYes);
  return question.text;
}

async function pressRemove(pool: PoolPicture | null = null): Promise<void> {
  const me = { id: "ada", name: "Ada", email: "a@example.org", role: "member", running: 0, queued: 0, max: 2 } as const;
  const first = pool === null ? null : { me, projects: [project], pool };
  render(
    <LiveProvider isSignedIn={false} first={first} moment={0} routes={contract}>
      <Members project={project} />
    </LiveProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Remove Ben" }));
}

const REMOVAL = "DELETE /api/v1/projects/p/members/ben";

test("[S6] taking a member off says, in the server's words, what would be stopped, and a no stops nothing", async () => {
  named = STOPS;
  await pressRemove();
  expect(await answer(true)).toBe(
    "They lose this board until an owner adds them again. Their tasks and branches stay.",
  );
  expect(await answer(false)).toBe(STOPS);
  expect(sent).toEqual([REMOVAL]);
  fireEvent.click(screen.getByRole("button", { name: "Remove Ben" }));
  await answer(true);
  await answer(true);
  await waitFor(() => expect(sent).toEqual([REMOVAL, REMOVAL, `${REMOVAL}?confirm=true`]));
});

test("[S6] the first question names already what the member has running and waiting in this project", async () => {
  named = STOPS;
  const running = sampleLive({ userId: "ben", status: "running", position: 0 });
  const waiting = sampleLive({ userId: "ben" });
  const elsewhere = sampleLive({ userId: "ben", projectId: "other" });
  await pressRemove(samplePool({ sessions: { a: running, b: waiting, c: waiting, d: elsewhere, e: sampleLive() } }));
  expect(await answer(false)).toBe(
    "They lose this board until an owner adds them again. Their tasks and branches stay. 1 running session is stopped, and 2 waiting sessions are withdrawn.",
  );
  expect(sent).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Remove Ben" }));
  await answer(true);
  await waitFor(() => expect(sent).toEqual([`${REMOVAL}?confirm=true`]));
});

test("[S6] of a member without sessions is asked once", async () => {
  named = null;
  await pressRemove();
  await answer(true);
  await waitFor(() => expect(sent).toEqual([REMOVAL]));
});

test("[S6][W2] deleting a card says what it would lose sight of; that its session ends was said before", async () => {
  named = LOSES;
  const task = sampleTask({ column: "review" });
  const deletion = `DELETE /api/v1/tasks/${task.id}`;
  const gone = deleteTask({ column: "review", live: null, liveId: null, task });
  expect(await answer(true)).toMatch(/^The card and its history are deleted/);
  expect(await answer(true)).toBe(LOSES);
  await gone;
  expect(sent).toEqual([deletion, `${deletion}?confirm=true`]);
});
