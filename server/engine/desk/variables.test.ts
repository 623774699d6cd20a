/** A project's variables, secrets and setup script on their way to a real agent, and what is left of them afterwards. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSeal } from "../../db/sealed";
import { createVariableStore } from "../../db/variable-store";
import { isOver } from "../../testing/engine-rows";
import { type Engine, type EngineWorld, engineWorld } from "../../testing/engine-world";
import { makeRepository } from "../../testing/git-repositories";
import { supervisorWorld } from "../../testing/supervisor-world";

vi.setConfig({ testTimeout: 120_000 });

const TOKEN = 'ghp_"quoted"/and+long';

let world: EngineWorld;
let engine: Engine;
let project: string;

beforeAll(async () => {
  world = await engineWorld();
  project = await world.addProject(await makeRepository(join(world.folder, "shop")));
  engine = await world.startEngine();
});
afterAll(() => world?.cleanUp());

const run = async (prompt: string) => {
  const { sessionId } = await world.dispatch(engine, project, prompt);
  return world.until(sessionId, isOver, "over");
};

describe("variables of a project", () => {
  it("[A1][A3] agent and setup script have them; in output, last action, rows and files a secret is three stars", async () => {
    await world.variables.set(project, { name: "TOKEN", value: TOKEN, isSecret: true }, 1);
    await world.variables.set(project, { name: "MODE", value: "fast", isSecret: false }, 1);
    await world.sql`update projects set setup_script = ${'echo "setup $MODE $TOKEN"'} where id = ${project}`;
    // What masks it must not be what hides it: the agent tells that it has the very value.
    const expected = join(world.folder, "expected");
    await writeFile(expected, TOKEN);
    const row = await run(
      [
        `[ "$TOKEN" = "$(cat '${expected}')" ] && echo same`,
        'printf %s "$TOKEN" | base64 -w0; echo',
        `printf %s "$TOKEN" | sed 's/"/\\\\"/g'; echo`,
        'echo "last: $TOKEN in $MODE"; sleep 1.2',
      ].join("\n"),
    );
    expect(row).toMatchObject({ status: "succeeded", lastAction: "last: *** in fast" });
    expect(await world.output(row.id)).toBe("setup fast ***\nsame\n***\n***\nlast: *** in fast\n");
    const rows = JSON.stringify([
      await world.sql`select * from sessions`,
      await world.sql`select * from project_variables`,
    ]);
    expect(rows).not.toContain("ghp_");
    const folder = join(world.dataDir, "runs", `${row.id}.1`);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      expect(await readFile(join(file.parentPath, file.name), "utf8"), file.name).not.toContain("ghp_");
    }
  });

  it("[A3] a setup script that fails names no secret, and the agent does not start", async () => {
    await world.sql`update projects set setup_script = ${'echo "no $TOKEN"; exit 7'} where id = ${project}`;
    const row = await run("echo never");
    expect(row).toMatchObject({ status: "failed", failureKind: "could-not-start" });
    expect(row.failureDetail).toBe("The setup script failed with exit code 7.");
    expect(await world.output(row.id)).toBe("no ***\n");
    await world.sql`update projects set setup_script = null where id = ${project}`;
  });

  it("[A3] a secret that can no longer be read starts no agent, and the card says what to do", async () => {
    const other = createVariableStore(world.sql, createSeal("the secret the installation had before it was lost"));
    await other.set(project, { name: "TOKEN", value: TOKEN, isSecret: true }, 2);
    const row = await run("echo never");
    expect(row).toMatchObject({ status: "failed", failureKind: "could-not-start", outputBytes: null });
    expect(row.failureDetail).toMatch(/^The secret TOKEN cannot be read any more.*enter it again/);
    await world.variables.set(project, { name: "TOKEN", value: TOKEN, isSecret: true }, 3);
    expect(await run("echo again")).toMatchObject({ status: "succeeded" });
  });
});

it("[A3] an error of the server that quotes a secret is masked before it is told or stored", async () => {
  const scene = supervisorWorld();
  scene.prepare = async () => {
    throw new Error(`fatal: cannot use ${TOKEN}`);
  };
  const { run: attempt, over } = scene.grant({ attempt: 4 });
  const facts = scene.facts.get(attempt.sessionId);
  if (facts) scene.facts.set(attempt.sessionId, { ...facts, variables: { ...facts.variables, secrets: [TOKEN] } });
  await over;
  expect(scene.released).toMatchObject([{ ended: { failure: { detail: "fatal: cannot use ***" } } }]);
});
