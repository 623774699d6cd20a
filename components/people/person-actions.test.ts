import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { learnRoutes } from "../api";
import { questionSlot } from "../ui/ask";
import type { MenuEntry } from "../ui/menu";
import { personMenu } from "./person-actions";

const person = {
  id: "ben",
  name: "Ben",
  email: null,
  role: "member",
  active: true,
  running: 1,
  queued: 2,
  max: 2,
} as const;
const WARNING = "Deactivating this person stops 1 running session and withdraws 2 waiting sessions. Branches are kept.";
const sent: string[] = [];

beforeEach(() => {
  learnRoutes(contract);
  sent.length = 0;
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    sent.push(`${request.method} ${pathname}${search} ${await request.text()}`);
    const isAsked = search === "" && pathname.endsWith("/ben");
    const body = isAsked ? { code: "CONFIRM", message: WARNING } : {};
    return new Response(JSON.stringify(body), {
      status: isAsked ? 409 : 200,
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  questionSlot.close();
  vi.unstubAllGlobals();
});

function choose(entries: readonly MenuEntry[], label: string): void {
  const entry = entries.find((one) => one.kind === "entry" && one.label === label);
  if (entry?.kind !== "entry") throw new Error(`there is no ${label}`);
  entry.run();
}

async function answer(isYes: boolean): Promise<string> {
  const question = await vi.waitFor(() => {
    const open = questionSlot.held();
    if (open === null) throw new Error("nothing was asked");
    return open;
  });
  questionSlot.close();
  question.answer(isYes);
  return question.text;
}

/** As the page knows them: what began since is known to the server alone. */
const idle = { ...person, running: 0, queued: 0 };

test("[S6][B10] deactivating asks once, and names what would end", async () => {
  const changed = vi.fn(async () => {});
  choose(personMenu(person, { changed, showPassword: null }), "Deactivate…");
  expect(await answer(true)).toMatch(
    /signed out everywhere.* 1 running session is stopped, and 2 waiting sessions are withdrawn\.$/,
  );
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(sent).toEqual(['PATCH /api/v1/users/ben?confirm=true {"active":false}']);
});

test("[S6][B10] what the first question did not name is asked in the server's words", async () => {
  const changed = vi.fn(async () => {});
  choose(personMenu(idle, { changed, showPassword: null }), "Deactivate…");
  expect(await answer(true)).not.toMatch(/session/);
  expect(await answer(true)).toBe(WARNING);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    'PATCH /api/v1/users/ben {"active":false}',
    'PATCH /api/v1/users/ben?confirm=true {"active":false}',
  ]);
});

test("[S6][B10] a no to the second question ends nothing", async () => {
  const changed = vi.fn(async () => {});
  choose(personMenu(idle, { changed, showPassword: null }), "Deactivate…");
  await answer(true);
  await answer(false);
  expect(sent).toHaveLength(1);
  expect(changed).not.toHaveBeenCalled();
});

test("[S2][B10] a menu offers the other role, and to somebody deactivated only the way back", () => {
  const labels = (entries: readonly MenuEntry[]) => entries.flatMap((one) => (one.kind === "entry" ? [one.label] : []));
  const nothing = { changed: async () => {}, showPassword: () => {} };
  expect(labels(personMenu(person, nothing))).toEqual(["Make an administrator", "New password…", "Deactivate…"]);
  expect(labels(personMenu({ ...person, role: "admin" }, nothing))).toEqual([
    "Make a member",
    "New password…",
    "Deactivate…",
  ]);
  expect(labels(personMenu(person, { ...nothing, showPassword: null }))).not.toContain("New password…");
  expect(labels(personMenu({ ...person, active: false }, nothing))).toEqual(["Let in again"]);
});
