/** Whatever a person names (a repository, a base branch, a remote, a file) is a name to git, never an option, an address of a program or a way out. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, type ApiWorld, apiWorld } from "../testing/api-world";
import {
  type GitWorld,
  makeGitWorld,
  makeRepository,
  prepareOk,
  requestFor,
  runGit,
  saveRequestFor,
  writeFiles,
} from "../testing/git-repositories";
import { photoOf } from "../testing/tree-photo";

let git: GitWorld;
let world: ApiWorld;
/** A folder, a clone of it in a project, and a task with a branch. */
let repo = "";
let folderProject = "";
let cloneProject = "";
let task = "";
let branch = "";

beforeAll(async () => {
  git = await makeGitWorld();
  world = await apiWorld({ git: git.workspace });
  await world.addUser("nora", "admin");
  repo = await makeRepository(join(git.folder, "repo"), { "a.txt": "one\n" });
  await runGit(git.folder, "clone", "-q", "--bare", repo, "hub.git");
  folderProject = (await make({ repository: repo })).body.id;
  cloneProject = (await make({ repository: `file://${join(git.folder, "hub.git")}` })).body.id;
  task = await world.task("nora", folderProject, "Fix login");
  const made = await prepareOk(git.workspace, requestFor(repo, { projectId: folderProject, taskId: task }));
  await world.sql`update tasks set branch = ${made.branch}, worktree = ${made.path}, base_commit = ${made.baseCommit}
    where id = ${task}`;
  await writeFiles(made.path, { "a.txt": "two\n" });
  await git.workspace.save(saveRequestFor(repo, made));
  branch = made.branch;
});
afterEach(async () => {
  expect(world.bugs).toEqual([]);
  expect(await readdir(git.folder)).not.toContain("pwned");
});
afterAll(async () => {
  await world.close();
  await git.remove();
});

const ask = (method: string, path: string, body?: unknown) => world.ask("nora", method, path, { body });
const make = (body: object) => ask("POST", "/projects", { name: "P", ...body });

/** Each would leave a file `pwned` behind where it is not only a name. */
const NAMES: Readonly<Record<string, (marker: string) => string>> = {
  "an option that names a program": (marker) => `--upload-pack=touch ${marker}`,
  "another one": (marker) => `--receive-pack=touch ${marker}`,
  "an option of ssh": (marker) => `-oProxyCommand=touch ${marker}`,
  "an option of ssh as a host": (marker) => `ssh://-oProxyCommand=touch%20${marker}/x`,
  "the address of a program": (marker) => `ext::sh -c touch% ${marker}`,
  "a way out": () => "../../../../etc",
  "a way out of a folder": (marker) => `${marker}/../../etc`,
  "a line break": (marker) => `main\n--upload-pack=touch ${marker}`,
  "a line break and a setting": (marker) => `x"]\n[core]\nsshCommand = touch ${marker}`,
  "words of a shell": (marker) => `$(touch ${marker}); \`touch ${marker}\` | touch ${marker}`,
  "an end of a text": (marker) => `main\u0000; touch ${marker}`,
};

type Place = (name: string) => Promise<ApiAnswer>;

const REFUSING: Readonly<Record<string, Place>> = {
  "the repository of a new project": (repository) => make({ repository }),
  "the folder a project moves to": (repository) => ask("PATCH", `/projects/${folderProject}`, { repository }),
  "the address a clone moves to": (repository) => ask("PATCH", `/projects/${cloneProject}`, { repository }),
  "the base of a new project": (baseBranch) => make({ repository: repo, baseBranch }),
  "the base of a new clone": (baseBranch) => make({ repository: `file://${join(git.folder, "hub.git")}`, baseBranch }),
  "the base of a project": (baseBranch) => ask("PATCH", `/projects/${folderProject}`, { baseBranch }),
  "the base of a clone": (baseBranch) => ask("PATCH", `/projects/${cloneProject}`, { baseBranch }),
};

describe.each(Object.entries(NAMES))("%s", (_what, nameOf) => {
  const name = () => nameOf(join(git.folder, "pwned"));

  test.each(Object.entries(REFUSING))("[W1][A2] as %s is refused with a sentence", async (_where, give) => {
    const projects = (await ask("GET", "/projects")).body;
    const { status, body } = await give(name());
    expect([400, 409], JSON.stringify(body)).toContain(status);
    expect(body.message).toMatch(/[.”]$/);
    expect((await ask("GET", "/projects")).body).toEqual(projects);
  });

  test("[W4][A2] as a file in a diff it is no file, and the tree is not touched", async () => {
    const before = await photoOf(repo);
    const { status, body } = await ask("GET", `/tasks/${task}/diff?path=${encodeURIComponent(name())}`);
    expect([status, body.files]).toEqual([200, []]);
    expect(await photoOf(repo)).toEqual(before);
  });

  test("[W4][A2] as the title of a task it is text, and its branch has a name of its own", async () => {
    const made = await ask("POST", `/projects/${folderProject}/tasks`, { title: name(), prompt: "x" });
    expect([201, 400]).toContain(made.status);
    if (made.status === 400) return expect(name()).toContain("\u0000");
    const { id, number, title } = made.body;
    const tree = await prepareOk(
      git.workspace,
      requestFor(repo, { projectId: folderProject, taskId: id, number, title }),
    );
    expect(tree.branch).toMatch(/^camelot\/\d+-[a-z0-9-]+$/);
    expect(tree.path.startsWith(join(git.dataDir, "worktrees", folderProject))).toBe(true);
  });
});

test.each(["--upload-pack=touch pwned", "-oProxyCommand=touch pwned", "--all", "--mirror"])(
  "[W4][A2] a remote that somebody called %s is only a name",
  async (name) => {
    const hub = join(git.folder, "hub.git");
    const own = await makeRepository(join(git.folder, crypto.randomUUID()));
    await runGit(own, "config", `remote.${name}.url`, hub);
    await runGit(own, "config", "branch.main.remote", name);
    await runGit(own, "branch", branch);
    await runGit(own, "branch", "private");
    const place = await git.workspace.remote(own, "main");
    expect(place).toEqual({ kind: "remote", address: hub, base: "main" });
    const pushed = await git.workspace.push({ repository: own, baseBranch: "main", branch, what: "branch" });
    expect(pushed).toMatchObject({ kind: "pushed", remote: name });
    expect(await runGit(hub, "branch", "--list", "private")).toBe("");
    await runGit(hub, "branch", "-D", branch);
  },
);
