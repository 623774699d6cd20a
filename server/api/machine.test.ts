import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";

const PROBLEM = "bubblewrap (bwrap) is not installed.";
let world: ApiWorld;

beforeAll(async () => {
  world = await apiWorld({ sandboxProblem: PROBLEM });
  await world.addUser("anna", "admin");
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});

test("[R7] everybody may know how trees end here, and whether there is a sandbox", async () => {
  expect((await world.ask("anna", "GET", "/runner")).body).toMatchObject({
    treeEnding: "scan",
    sandbox: { isAvailable: false, problem: PROBLEM },
  });
});

test("[B10][P1] which known agents are on the machine is told before anybody makes one of them: those that are there first", async () => {
  world.programs.missing.add("claude");
  const { programs } = (await world.ask("anna", "GET", "/runner")).body;
  world.programs.missing.clear();
  expect(programs[0]).toEqual({
    name: "codex",
    title: "Codex",
    kind: "codex",
    argv: null,
    isThere: true,
    version: "1.2.3",
    isVersionAsked: false,
    testedWith: "0.171.0",
    install: "npm install -g @openai/codex",
  });
  expect(programs[1]).toMatchObject({ kind: "acp", argv: ["gemini", "--acp", "--skip-trust"] });
  expect(programs.at(-1)).toMatchObject({ name: "claude", kind: "claude-code", isThere: false, version: null });
});

test("[R7][P1] an agent's sandbox is a setting; without one on the machine a dispatch is 409 and says so", async () => {
  const locked = { name: "Locked", kind: "shell", settings: { sandbox: "bubblewrap" } };
  const agent = await world.ask("anna", "POST", "/agents", { body: locked });
  expect([agent.status, agent.body.settings]).toEqual([201, { sandbox: "bubblewrap" }]);
  const wrong = { ...locked, settings: { sandbox: "cage" } };
  expect((await world.ask("anna", "POST", "/agents", { body: wrong })).status).toBe(400);
  const project = await world.project("anna");
  const task = await world.task("anna", project);
  const dispatch = (agentId?: string) => world.ask("anna", "POST", `/tasks/${task}/dispatch`, { body: { agentId } });
  const refused = await dispatch(agent.body.id);
  expect([refused.status, refused.body.code]).toEqual([409, "AGENT_UNUSABLE"]);
  expect(refused.body.message).toContain("Bubblewrap (bwrap) is not installed. Locked runs in a sandbox only.");
  await world.ask("anna", "PATCH", `/agents/${agent.body.id}`, { body: { settings: { sandbox: "none" } } });
  expect((await dispatch(agent.body.id)).status).toBe(201);
});

test("[B10][P1] an agent says what is missing here, in the words a dispatch is refused with, until it is there", async () => {
  const body = { name: "Tool", kind: "command", settings: { argv: ["a-tool"] } };
  world.programs.missing.add("a-tool");
  const made = await world.ask("anna", "POST", "/agents", { body });
  const sentence = "Tool is not installed here: the program a-tool was not found.";
  expect(made.body.problem).toBe(sentence);
  const listed = async () => {
    const { items } = (await world.ask("anna", "GET", "/agents")).body;
    return items.map(({ name, problem }: { name: string; problem: string | null }) => [name, problem]);
  };
  expect(await listed()).toEqual(
    expect.arrayContaining([
      ["Shell", null],
      ["Tool", sentence],
    ]),
  );
  const project = await world.project("anna");
  const task = await world.task("anna", project);
  const refused = await world.ask("anna", "POST", `/tasks/${task}/dispatch`, { body: { agentId: made.body.id } });
  expect([refused.status, refused.body.message]).toEqual([409, sentence]);
  world.programs.missing.clear();
  expect(await listed()).toContainEqual(["Tool", null]);
});
