/** What every call of the API has in common: bodies, errors, limits. In one file: one way in. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, apiWorld } from "../testing/api-world";
import { waitFor } from "../testing/wait-for";

let world: ApiWorld;
let project: string;
let task: string;

beforeAll(async () => {
  world = await apiWorld();
  await world.addUser("anna", "admin");
  project = await world.project("anna");
  task = await world.task("anna", project);
});
afterAll(async () => {
  expect(world.bugs).toEqual([]);
  await world.close();
});
const ask = (method: string, path: string, body?: unknown) => world.ask("anna", method, path, { body });

describe("[P1] what is refused, and how", () => {
  test.each([
    ["POST", `/projects/{p}/tasks`, "{", "The body is not valid JSON."],
    ["POST", `/projects/{p}/tasks`, "[]", "The body has to be a JSON object."],
    ["POST", `/projects/{p}/tasks`, { prompt: "" }, "“title” is missing."],
    ["POST", `/projects/{p}/tasks`, { title: 7, prompt: "" }, "“title” has to be text."],
    ["POST", `/projects/{p}/tasks`, { title: null, prompt: "" }, "“title” has to be text."],
    ["POST", `/projects/{p}/tasks`, { title: "  ", prompt: "" }, "A title is needed."],
    [
      "POST",
      `/projects/{p}/tasks`,
      { title: "x".repeat(10_001), prompt: "" },
      "A title can have 10,000 characters at most.",
    ],
    ["POST", `/projects/{p}/tasks`, { title: "a\u0000b", prompt: "" }, "NUL"],
    ["POST", `/projects/{p}/tasks`, { title: "t", prompt: "a\u0000b" }, "NUL"],
    ["POST", `/projects/{p}/tasks`, { title: "a\ud83d", prompt: "" }, "half a character"],
    ["POST", `/projects/{p}/tasks`, { title: "t", prompt: "\udd25 fire" }, "half a character"],
    ["PATCH", "/agents/agent-shell", { settings: { deep: ["\ud800"] } }, "half a character"],
    ["PATCH", "/agents/agent-shell", { settings: { "\ud800": 1 } }, "half a character"],
    ["POST", `/projects/{p}/tasks`, { title: "t", prompt: "", agentId: "a b" }, "“agentId” is no id."],
    ["POST", `/tasks/{t}/dispatch`, { mode: "later" }, "“mode” has to be one of “work”, “plan”."],
    ["POST", `/tasks/{t}/move`, {}, "“column” is missing."],
    ["POST", `/tasks/{t}/move`, { column: "done", before: "" }, "“before” is no id."],
    ["PATCH", "/pool", { globalMax: -1 }, "“globalMax” has to be 0 or more."],
    ["PATCH", "/pool", { globalMax: 1.5 }, "“globalMax” has to be a whole number."],
    ["PATCH", "/pool", { globalMax: "3" }, "“globalMax” has to be a number."],
    ["PATCH", "/pool", { globalMax: 100_001 }, "“globalMax” may be 100,000 at most."],
    ["PATCH", "/pool", { paused: "yes" }, "“paused” has to be true or false."],
    ["POST", "/projects", { name: "x", repository: "some/where" }, "absolute path"],
    [
      "POST",
      "/agents",
      { name: "x", kind: "robot" },
      "“kind” has to be one of “shell”, “command”, “claude-code”, “codex”, “acp”.",
    ],
    ["POST", "/agents", { name: "x" }, "“kind” is missing."],
    ["POST", "/agents", { name: "x", kind: "command", settings: { argv: [] } }, "“settings.argv” may not be empty."],
    ["POST", "/agents", { name: "x", kind: "command", settings: { argv: [1] } }, "“settings.argv[0]” has to be text."],
    ["POST", "/agents", { name: "x", kind: "command", settings: [] }, "“settings” has to be an object."],
    [
      "PATCH",
      "/agents/agent-shell",
      { settings: { sandbox: 1 } },
      "“settings.sandbox” has to be one of “none”, “bubblewrap”.",
    ],
    ["PATCH", "/projects/{p}", { foo: 1 }, "The request may not have “foo”."],
    ["POST", "/projects", { name: "x", repository: "/r", branch: "main" }, "The request may not have “branch”."],
    ["POST", "/projects/{p}/tasks", { title: "t", prompt: "", agent: "a" }, "The request may not have “agent”."],
    ["POST", "/tasks/{t}/dispatch", { agent: "a" }, "The request may not have “agent”."],
    ["POST", "/tasks/{t}/move", { column: "done", after: "x" }, "The request may not have “after”."],
    ["PATCH", "/pool", { max: 3 }, "The request may not have “max”."],
    ["PATCH", "/agents/agent-shell", { settings: { box: 1 } }, "“settings” may not have “box”."],
    ["GET", "/users?afer=1", undefined, "The request may not have “afer”."],
    ["GET", "/users?after[x]=1", undefined, "“after” has to be text."],
    ["GET", "/users?after=%00", undefined, "“after” is no id."],
  ])("[P1] 400: %s %s %j", async (method, path, body, sentence) => {
    const { status, body: said } = await ask(method, path.replace("{p}", project).replace("{t}", task), body);
    expect([status, said.code]).toEqual([400, "BAD_REQUEST"]);
    expect(said.message).toContain(sentence);
    expect(said.message).toMatch(/^[A-Z“].*\.$/);
    expect(said.message).not.toMatch(/[Ii]nvalid|expected|received|Too (small|big)|>=|<=|undefined/);
    expect(JSON.stringify(said)).not.toContain("node_modules");
  });

  test("[P1] unknown calls and ids are 404, in JSON, without a stack", async () => {
    for (const path of [
      "/nothing",
      "/tasks",
      "/tasks/%00",
      "/tasks/%zz",
      "/tasks/x",
      "/sessions/x/output",
      "/users/x",
      "",
    ]) {
      const { status, body } = await ask("GET", path);
      expect([path, status, body.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
    expect((await ask("DELETE", "/me")).status).toBe(404);
    expect((await ask("PUT", `/projects/${project}/members/nobody`, { role: "member" })).status).toBe(404);
    expect((await world.ask(null, "GET", "/me")).body.code).toBe("UNAUTHORIZED");
  });

  test("[A2] a prompt of 3 MB is taken as it is; one over 4 MB, and a body over 10 MB, are 413", async () => {
    const prompt = `--help $(id) "' ${"ü\n".repeat(1_000_000)}`;
    const made = await ask("POST", `/projects/${project}/tasks`, { title: "long", prompt });
    expect(made.status).toBe(201);
    expect((await ask("GET", `/tasks/${made.body.id}`)).body.prompt).toBe(prompt);
    const listed = (await ask("GET", `/projects/${project}/tasks`)).body.items;
    expect(listed.find((card: { id: string }) => card.id === made.body.id).prompt).toHaveLength(300);
    for (const length of [4_000_001, 11_000_000]) {
      const { status, body } = await ask("POST", `/projects/${project}/tasks`, {
        title: "t",
        prompt: "x".repeat(length),
      });
      expect([status, body.code]).toEqual([413, "TOO_LARGE"]);
    }
  });

  test("[P1] a caller who hangs up in the middle of a body harms nobody", async () => {
    const { port } = new URL(world.base);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(
          `POST /api/v1/projects HTTP/1.1\r\nhost: x\r\nx-test-user: anna\r\ncontent-length: 100\r\n\r\n{"na`,
        );
        setImmediate(() => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
    expect((await ask("GET", "/me")).status).toBe(200);
  });

  test("[P1] the database away: 503 with Retry-After, and at once right again when it is back", async () => {
    const admin = new URL(world.databaseUrl);
    const name = admin.pathname.slice(1);
    admin.pathname = "/postgres";
    const { default: postgres } = await import("postgres");
    const sql = postgres(admin.href, { max: 1, onnotice: () => {} });
    try {
      await sql.unsafe(`alter database ${name} with allow_connections false`);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
      for (const [method, path] of [
        ["GET", `/tasks/${task}`],
        ["POST", `/tasks/${task}/dispatch`],
      ] as const) {
        const { status, body, headers } = await ask(method, path);
        expect([status, body.code]).toEqual([503, "UNAVAILABLE"]);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        expect(body.message).toMatch(/^The database/);
      }
    } finally {
      await sql.unsafe(`alter database ${name} with allow_connections true`);
      await sql.end();
    }
    expect((await ask("GET", `/tasks/${task}`)).status).toBe(200);
  });
});

describe("[P13] the contract on the wire", () => {
  test("[P13] openapi.json describes every call; HEAD and OPTIONS are sane", async () => {
    const { status, body } = await world.ask(null, "GET", "/openapi.json");
    expect([status, body.openapi]).toEqual([200, "3.1.1"]);
    expect(Object.keys(body.paths)).toContain("/tasks/{id}/dispatch");
    const error = body.paths["/me"].get.responses["401"].content["application/json"].schema;
    expect(error.required).toEqual(["code", "message"]);
    const head = await fetch(`${world.base}/me`, { method: "HEAD", headers: { "x-test-user": "anna" } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("x-pool-version")).toMatch(/^\d+\.\d+$/);
    const options = await fetch(`${world.base}/tasks/${task}`, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, PATCH, DELETE, OPTIONS"]);
    expect(options.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("[P13] lists come in pages: items and next, nothing twice and nothing left out", async () => {
    const { user, ids } = await crowd();
    const pages: string[][] = [];
    let after: string | null = "";
    while (after !== null) {
      const { body } = await world.ask(user, "GET", `/tasks/${ids.task}/sessions${after && `?after=${after}`}`);
      pages.push(body.items.map((session: { id: string }) => session.id));
      after = body.next;
    }
    expect(pages.map((page) => page.length)).toEqual([100, 30]);
    expect(new Set(pages.flat()).size).toBe(130);
  });

  test("[R6] output is bytes from an offset: next, complete, empty past the end, 400 for a bad one", async () => {
    const fresh = await world.task("anna", project);
    const session = (await ask("POST", `/tasks/${fresh}/dispatch`)).body.session.id;
    const read = (query: string) => ask("GET", `/sessions/${session}/output${query}`);
    const before = await read("");
    expect([before.status, before.body.length, before.headers.get("x-complete")]).toEqual([200, 0, "false"]);
    await startedRun(session);
    world.runner.print({ sessionId: session, attempt: 1 }, Uint8Array.from([0, 255, 10, 65, 66]));
    const part = await read("?offset=1&limit=3");
    expect([...part.body]).toEqual([255, 10, 65]);
    expect(part.headers.get("content-type")).toBe("application/octet-stream");
    expect(part.headers.get("x-content-type-options")).toBe("nosniff");
    expect([part.headers.get("x-next-offset"), part.headers.get("x-complete")]).toEqual(["4", "false"]);
    world.runner.end({ sessionId: session, attempt: 1 });
    world.endAgent(session);
    const rest = await read("?offset=4");
    expect([[...rest.body], rest.headers.get("x-next-offset"), rest.headers.get("x-complete")]).toEqual([
      [66],
      "5",
      "true",
    ]);
    const earlier = await read("?before=4&limit=2");
    expect([...earlier.body]).toEqual([10, 65]);
    expect([earlier.headers.get("x-offset"), earlier.headers.get("x-next-offset")]).toEqual(["2", "4"]);
    expect([...(await read("?before=2")).body]).toEqual([0, 255]);
    expect((await read("?before=2&offset=1")).status).toBe(400);
    const past = await read("?offset=5000");
    expect([past.status, past.body.length, past.headers.get("x-complete")]).toEqual([200, 0, "true"]);
    for (const bad of ["-1", "x", "1.5", "1e3", "", "0x10", "99999999999999999999"]) {
      const { status, body } = await read(`?offset=${bad}`);
      expect([status, body.message], bad).toEqual([400, "A whole number from 0 is needed."]);
    }
  });

  test("[R6][R2] output of an attempt that was given up before it acted is not complete while the next one is on its way", async () => {
    const fresh = await world.task("anna", project);
    const session = (await ask("POST", `/tasks/${fresh}/dispatch`)).body.session.id;
    expect(await world.runner.giveUp({ sessionId: session, attempt: 1 })).toBe(true);
    const read = async () => (await ask("GET", `/sessions/${session}/output`)).headers.get("x-complete");
    expect(await read()).toBe("false");
    world.endAgent(session);
    await waitFor(
      async () => (await ask("GET", `/sessions/${session}`)).body.status === "succeeded",
      "the session to end",
    );
    expect(await read()).toBe("true");
  });
});

/** The runner's part of a start, which no supervisor plays here. */
async function startedRun(sessionId: string): Promise<void> {
  await world.runner.start({
    sessionId,
    attempt: 1,
    epoch: 1,
    command: { argv: ["x"], stdin: null },
    cwd: "/",
    environment: {},
    secrets: [],
    limits: { longestRunMs: 1_000, termGraceMs: 1_000 },
    sandbox: "none",
  });
  const isUp = async () => (await world.runner.probe({ sessionId, attempt: 1 })).kind === "present";
  await waitFor(isUp, "the host to be up");
}

/** A card with 130 ended sessions. */
async function crowd() {
  const crowded = await world.task("anna", project);
  await world.sql`insert into sessions (id, task_id, project_id, user_id, agent_id, status, queued_at, started_at, finished_at)
    select 'old-' || n, ${crowded}, ${project}, 'anna', 'agent-shell', 'succeeded', now(), now(), now()
    from generate_series(1, 130) n`;
  return { user: "anna", ids: { task: crowded } };
}
