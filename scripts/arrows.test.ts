/**
 * The house keeps its plan: who may know whom (README, "The map"), no cycles, no barrels, every room on the map, no room
 * that has outgrown one responsibility. Reads the real tree with dependency-cruiser and proves first that it did.
 */
import fs from "node:fs";
import path from "node:path";
import { cruise, type ICruiseResult, type IDependency, type IModule } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { beforeAll, expect, test } from "vitest";

const ROOT = path.dirname(import.meta.dirname);
const TREES = ["app", "components", "server", "drizzle", "chaos", "bench"];
const ROOM_MOST_LINES = 250;
const READ_LIMIT_MS = 120_000;

/**
 * Layer → what it may import besides itself: other layers, `node`, and npm packages by prefix. What is not here is
 * forbidden, so a new folder has to be put on the map first.
 */
const MAY: Record<string, readonly string[]> = {
  "core/words": [],
  "core/session": ["core/words"],
  "core/task": ["core/words"],
  "core/agent": ["core/words"],
  "core/text": ["core/words"],
  // How a session ended is what the pool is told, so that one topic is known to it.
  "core/pool": ["core/words", "core/session"],
  ports: ["core/*", "contract"],
  contract: ["core/*", "npm:zod", "npm:@orpc/contract"],
  // Facts of the machine that several adapters need; the session host is built with it.
  system: ["node"],
  engine: ["core/*", "ports", "contract", "system", "node"],
  db: ["core/*", "ports", "contract", "system", "drizzle", "node", "npm:drizzle-orm", "npm:postgres"],
  runner: ["core/*", "ports", "system", "node"],
  workspace: ["core/*", "ports", "system", "node"],
  github: ["core/*", "ports", "node", "npm:@octokit/request"],
  realtime: ["core/*", "ports", "contract", "node", "npm:socket.io", "npm:zod"],
  auth: [
    "core/*",
    "ports",
    "contract",
    "drizzle",
    "node",
    "npm:better-auth",
    "npm:drizzle-orm",
    "npm:postgres",
    "npm:zod",
  ],
  api: ["core/*", "ports", "contract", "engine", "node", "npm:@orpc/", "npm:zod"],
  http: ["ports", "contract", "node"],
  vitals: ["core/*", "ports", "contract", "engine", "node", "npm:prom-client", "npm:pino"],
  config: ["node", "ports"],
  "data-dir": ["node", "ports", "system"],
  log: ["config", "core/text", "node", "npm:pino"],
  registry: ["core/*", "ports", "contract", "engine", "door"],
  door: ["core/*", "ports", "contract", "engine", "registry", "npm:@orpc/contract"],
  // The composition roots (main with its parts in compose, and stop-agents) see all and are seen by none.
  main: ["*"],
  compose: ["*"],
  "stop-agents": ["*"],
  drizzle: ["npm:drizzle-orm"],
  // Judges the product from outside: of ours it knows only how processes and its own Postgres are ended.
  chaos: ["system", "db", "node", "npm:postgres"],
  // Measures any part by itself, and is seen by none.
  bench: ["*"],
  components: ["contract", "core/agent", "core/text", "core/words", "core/task", "npm:"],
  app: ["components", "door", "contract", "core/words", "npm:"],
};
const UNSEEN = ["main", "stop-agents", "compose", "bench"];
/** In components only the live folder knows the socket. */
const SOCKET = { package: "npm:socket.io-client", folder: "components/live/" };

let modules: IModule[];

beforeAll(async () => {
  const tsConfig = path.join(ROOT, "tsconfig.json");
  const result = await cruise(
    TREES,
    {
      baseDir: ROOT,
      validate: true,
      tsPreCompilationDeps: true,
      tsConfig: { fileName: tsConfig },
      doNotFollow: { path: "node_modules" },
      // The queues that the bench measures beside have packages of their own.
      exclude: { path: "^bench/peers/node_modules" },
      ruleSet: { forbidden: [{ name: "no-circular", severity: "error", from: {}, to: { circular: true } }] },
    },
    {},
    { tsConfig: extractTSConfig(tsConfig) },
  );
  const read = result.output as ICruiseResult;
  modules = read.modules.filter(({ source }) => TREES.includes(source.split("/")[0] ?? "") && isSource(source));
}, READ_LIMIT_MS);

test("the whole tree was read", () => {
  const read = modules.map(({ source }) => source).sort();
  expect(read).toEqual(filesBelow(TREES).filter(isSource).sort());
  // TypeScript is read as TypeScript: type imports count, and the tree is not a heap of unconnected files.
  const arrows = modules.flatMap(({ dependencies }) => dependencies);
  expect(arrows.filter(({ dependencyTypes }) => dependencyTypes.includes("type-only")).length).toBeGreaterThan(0);
  expect(arrows.length).toBeGreaterThan(read.length);
});

test("arrows point down only", () => {
  const wrong = modules.filter(({ source }) => !isTest(source)).flatMap(wrongArrows);
  expect(wrong).toEqual([]);
});

test("there are no cycles", () => {
  const cycles = modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ circular }) => circular)
      .map(({ cycle }) => [source, ...(cycle ?? []).map(({ name }) => name)].join(" → ")),
  );
  expect(cycles).toEqual([]);
});

test("[P21] the pool's state is known to its own rooms and its store; everybody else has the verbs", () => {
  const state = /^server\/core\/pool\/(?!picture)/;
  const insiders = /^server\/(core\/pool|engine\/pool\/|engine\/pool\.ts|ports\/pool-(store|link)|db\/pool-)/;
  const rooms = /^server\/engine\/pool\//;
  const curious = modules
    .filter(({ source }) => !isTest(source) && !UNSEEN.includes(layerOf(source)))
    .flatMap(({ source, dependencies }) =>
      dependencies
        .filter(
          ({ resolved }) =>
            (state.test(resolved) && !insiders.test(source)) || (rooms.test(resolved) && !rooms.test(source)),
        )
        .map(({ resolved }) => `${source} → ${resolved}`),
    );
  expect(modules.some(({ source }) => rooms.test(source))).toBe(true);
  expect(curious).toEqual([]);
});

test("the rooms of git lie one upon the other", () => {
  const rooms = ["git", "repository", "changes", "worktree", "review"];
  const roomOf = (source: string) => rooms.indexOf(/^server\/workspace\/([a-z]+)\//.exec(source)?.[1] ?? "");
  const inside = modules.filter(({ source }) => !isTest(source) && roomOf(source) >= 0);
  expect(new Set(inside.map(({ source }) => roomOf(source))).size).toBe(rooms.length);
  const upward = inside.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ resolved }) => roomOf(resolved) > roomOf(source))
      .map(({ resolved }) => `${source} → ${resolved}`),
  );
  expect(upward).toEqual([]);
});

test("there are no barrels", () => {
  const barrels = modules
    .map(({ source }) => source)
    .filter((source) => isBarrel(fs.readFileSync(path.join(ROOT, source), "utf8")));
  expect(barrels).toEqual([]);
});

test("every folder is on the map in the README", () => {
  const map = fs.readFileSync(path.join(ROOT, "README.md"), "utf8").split("## The map")[1]?.split("\n## ")[0] ?? "";
  const folders = [...foldersOf("."), ...foldersOf("server"), ...foldersOf("server/core")];
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter((folder) => !new RegExp(`(^|\\s)${folder}/`, "m").test(map))).toEqual([]);
});

test("a room of more than 250 lines says in its header why", () => {
  const long = filesBelow([...TREES, "e2e", "scripts"]).filter((file) => {
    const text = fs.readFileSync(path.join(ROOT, file), "utf8");
    const header = /^\s*\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? "";
    return (
      isSource(file) && !isTest(file) && text.split("\n").length > ROOM_MOST_LINES + 1 && !/long because/i.test(header)
    );
  });
  expect(long).toEqual([]);
});

function wrongArrows({ source, dependencies }: IModule): string[] {
  const from = layerOf(source);
  const may = MAY[from];
  if (!may) return [`${source}: "${from}" is not on the map of layers`];
  return dependencies.flatMap((dependency) => {
    const to = targetOf(dependency);
    if (to === from || to === "style") return [];
    const shown = `${source} → ${dependency.resolved}`;
    if (isTest(dependency.resolved) && from !== "bench") return [`${shown}: the product does not import tests`];
    if (UNSEEN.includes(to) && !(from === "main" && to === "compose"))
      return [`${shown}: a composition root is seen by none`];
    if (to === SOCKET.package && from === "components" && !source.startsWith(SOCKET.folder))
      return [`${shown}: only ${SOCKET.folder} has the socket`];
    return may.some((allowed) => covers(allowed, to)) ? [] : [`${shown}: ${from} may not import ${to}`];
  });
}

function covers(allowed: string, to: string): boolean {
  if (allowed === "*" || allowed === to) return true;
  if (allowed === "core/*") return to.startsWith("core/");
  return (
    allowed.startsWith("npm:") &&
    (to === allowed || to.startsWith(allowed.endsWith("/") || allowed === "npm:" ? allowed : `${allowed}/`))
  );
}

function targetOf({ module, resolved, coreModule }: IDependency): string {
  if (coreModule) return "node";
  if (resolved.endsWith(".css")) return "style";
  const isOurs = TREES.includes(resolved.split("/")[0] ?? "");
  return isOurs ? layerOf(resolved) : `npm:${module}`;
}

/** `server/db/x.ts` → `db`, `server/core/pool/x.ts` → `core/pool`, `server/main.ts` → `main`, `app/x.tsx` → `app`. */
function layerOf(source: string): string {
  const [tree = "", room = "", topic = ""] = source.split("/");
  if (tree !== "server") return tree;
  if (room === "core") return `core/${withoutExtension(topic)}`;
  return withoutExtension(room);
}

function withoutExtension(name: string): string {
  return name.replace(/\.tsx?$/, "");
}

function isSource(file: string): boolean {
  return /\.tsx?$/.test(file);
}

/** Tests may look into every room; what only tests use lies in `testing` or says so in its name. */
function isTest(file: string): boolean {
  return /(\.(test|suite)\.tsx?$|^server\/testing\/|-harness\.tsx?$|\/test-[^/]+\.tsx?$)/.test(file);
}

function isBarrel(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").trim();
  const withoutReExports = code
    .replace(/export\s+(type\s+)?(\*(\s+as\s+\w+)?|\{[^}]*\})\s+from\s+["'][^"']+["'];?/g, "")
    .trim();
  return code !== "" && withoutReExports === "";
}

function filesBelow(folders: string[]): string[] {
  return folders
    .filter((folder) => fs.existsSync(path.join(ROOT, folder)))
    .flatMap((folder) => fs.readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)));
}

function foldersOf(folder: string): string[] {
  const made = ["node_modules", "dist", "test-results", "playwright-report", "coverage", "look"];
  return fs
    .readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !made.includes(entry.name))
    .map(({ name }) => name);
}
