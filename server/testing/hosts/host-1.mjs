/**
 * The session host of run folders of version 1, as `scripts/build.mjs` made it (dist/host.mjs) before version 2. Never changed:
 * what runs in front of people while we deploy is this file, and a new server has to take it over (R13).
 * When the version of run folders goes up, the host of before is kept beside: run the build at the last commit of that
 * version, and copy dist/host.mjs here as host-<version>.mjs under a header like this one.
 */

// server/runner/host/main.ts
import { appendFile } from "node:fs/promises";
import { join as join12 } from "node:path";

// server/runner/host/run-folder.ts
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
var FORMAT_VERSION = 1;
var ORDER_FILE = "order.json";
var CLAIM_FOLDER = "claim";
var HOST_FILE = "host.json";
var ORDERS_FOLDER = "orders";
var STOP_ORDER_FILE = "stop.json";
var JOURNAL_HEAD_FILE = "journal.head";
var JOURNAL_TAIL_PREFIX = "journal.tail.";
var ENDING_FILE = "ending.json";
var HOST_LOG_FILE = "host.log";
async function readRunFile(path) {
  const text = await readFile(path, "utf8").catch((error) => {
    if (isErrorCode(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  });
  if (text === null) return { kind: "absent" };
  const fields = parseFields(text);
  if (!fields) return { kind: "broken" };
  return fields.version === FORMAT_VERSION ? { kind: "read", fields } : { kind: "foreign-version", version: fields.version };
}
function parseFields(text) {
  try {
    const value = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
async function writeRunFile(folder2, name, content, isDurable = false) {
  await replaceFile(folder2, name, JSON.stringify({ version: FORMAT_VERSION, ...content }), isDurable);
}
async function replaceFile(folder2, name, text, isDurable = false) {
  const temporary = join(folder2, `.${name}.${process.pid}.${nextTemporary++}`);
  try {
    const file = await open(temporary, "wx", 384);
    try {
      await file.writeFile(text);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder2, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
var nextTemporary = 1;
function isFields(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isErrorCode(error, ...codes) {
  return error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
}

// server/core/text/secret-forms.ts
var SECRET_MIN_CHARS = 8;
function formsOfSecrets(secrets) {
  const encoder = new TextEncoder();
  const forms = /* @__PURE__ */ new Map();
  for (const secret of secrets) {
    if ([...secret].length < SECRET_MIN_CHARS) continue;
    for (const text of formsOf(secret, encoder)) {
      if (text.length >= SECRET_MIN_CHARS) forms.set(text, encoder.encode(text));
    }
  }
  return [...forms.values()];
}
function formsOf(secret, encoder) {
  return [secret, ...jsonForms(secret), ...urlForms(secret), ...base64Forms(encoder.encode(secret))];
}
function jsonForms(secret) {
  const once = jsonEscape(secret);
  const ascii = once.replace(/[\u007f-\uffff]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  const slashes = once.replaceAll("/", "\\/");
  return [once, ascii, slashes, jsonEscape(once), jsonEscape(ascii)];
}
function jsonEscape(text) {
  return JSON.stringify(text).slice(1, -1);
}
function urlForms(secret) {
  const component = encodeUriComponentSafely(secret);
  const strict = component.replace(/[!'()*]/g, (char) => `%${hex(char.charCodeAt(0), 2).toUpperCase()}`);
  const form = strict.replaceAll("%20", "+").replaceAll("~", "%7E");
  const withoutTilde = strict.replaceAll("~", "%7E");
  return [component, strict, form, withoutTilde].flatMap((text) => [text, text.replace(/%../g, toLowerCase)]);
}
function toLowerCase(text) {
  return text.toLowerCase();
}
function encodeUriComponentSafely(text) {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)));
}
function base64Forms(bytes) {
  const whole = toBase64(bytes);
  const forms = [whole, whole.replace(/=+$/, "")];
  for (const before of [0, 1, 2]) {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const firstKnown = Math.ceil(before * 8 / 6);
    const behindLastKnown = Math.floor(padded.length * 8 / 6);
    forms.push(toBase64(padded).slice(firstKnown, behindLastKnown));
  }
  return forms.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}
function toBase64(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
function hex(value, digits) {
  return value.toString(16).padStart(digits, "0");
}

// server/core/text/masking.ts
var MASK = "***";
function createMasker(secrets) {
  const forms = formsOfSecrets(secrets);
  return forms.length === 0 ? PASS_THROUGH : createSearchingMasker(forms);
}
function maskText(text, secrets) {
  const masker = createMasker(secrets);
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(concat(masker.push(bytes), masker.end()));
}
var NOTHING = new Uint8Array(0);
var PASS_THROUGH = { push: (bytes) => bytes, end: () => NOTHING };
var MASK_BYTES = new TextEncoder().encode(MASK);
function createSearchingMasker(forms) {
  const index = indexByBeginning(forms);
  let held = NOTHING;
  let covered = 0;
  const step = (bytes, isLast) => {
    const data = held.length === 0 ? bytes : concat(held, bytes);
    const out = createCollector(data);
    let maskedUntil = covered;
    let position = 0;
    for (; position < data.length; position++) {
      const look2 = index.lookAt(data, position);
      if (look2.isOpen && !isLast) break;
      if (look2.length > 0) {
        if (position >= maskedUntil) out.mask();
        maskedUntil = Math.max(maskedUntil, position + look2.length);
      }
      if (position >= maskedUntil) out.keep(position);
    }
    held = data.slice(position);
    covered = Math.max(0, maskedUntil - position);
    return out.bytes();
  };
  return { push: (bytes) => step(bytes, false), end: () => step(NOTHING, true) };
}
var NOTHING_HERE = { length: 0, isOpen: false };
var MAYBE_MORE = { length: 0, isOpen: true };
function indexByBeginning(forms) {
  const byFirstTwo = /* @__PURE__ */ new Map();
  const isFirst = new Uint8Array(256);
  const isFirstTwo = new Uint8Array(65536);
  for (const form of forms) {
    const [first = 0, second = 0] = form;
    const key = first << 8 | second;
    isFirst[first] = 1;
    isFirstTwo[key] = 1;
    const same = byFirstTwo.get(key);
    if (same) same.push(form);
    else byFirstTwo.set(key, [form]);
  }
  return {
    lookAt(data, position) {
      const first = data[position] ?? 0;
      if (isFirst[first] === 0) return NOTHING_HERE;
      if (position + 1 === data.length) return MAYBE_MORE;
      const key = first << 8 | (data[position + 1] ?? 0);
      return isFirstTwo[key] === 0 ? NOTHING_HERE : compareAll(byFirstTwo.get(key) ?? [], data, position);
    }
  };
}
function compareAll(forms, data, position) {
  const available = data.length - position;
  let length = 0;
  let isOpen = false;
  for (const form of forms) {
    const toCompare = Math.min(form.length, available);
    let same = 2;
    while (same < toCompare && form[same] === data[position + same]) same++;
    if (same < toCompare) continue;
    if (toCompare < form.length) isOpen = true;
    else length = Math.max(length, form.length);
  }
  return length === 0 && !isOpen ? NOTHING_HERE : { length, isOpen };
}
function createCollector(data) {
  const parts = [];
  let from = 0;
  let until = 0;
  const close = () => {
    if (until > from) parts.push(data.subarray(from, until));
  };
  return {
    keep(position) {
      if (position !== until) {
        close();
        from = position;
      }
      until = position + 1;
    },
    mask() {
      close();
      parts.push(MASK_BYTES);
      from = until = -1;
    },
    bytes() {
      close();
      return parts.length === 1 ? parts[0] ?? NOTHING : concat(...parts);
    }
  };
}
function concat(...parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// server/runner/host/cgroup.ts
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync as readFileSync2,
  rmdirSync,
  writeFileSync
} from "node:fs";
import { basename, join as join2, relative } from "node:path";

// server/runner/host/identity.ts
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
var HAS_PROC = process.platform === "linux";
function identify(pid) {
  const found = look(pid);
  return found && !isDeadState(found.state) ? { pid, start: found.start, bootId: bootId() } : null;
}
function identifyChild(pid) {
  const found = look(pid);
  return found && { pid, start: found.start, bootId: bootId() };
}
function isAlive(identity) {
  const now = identify(identity.pid);
  return now !== null && now.start === identity.start && now.bootId === identity.bootId;
}
function signal(identity, name) {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, name);
  } catch {
    return false;
  }
}
function parseStat(text) {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (!text.includes(")") || !state || !start) return null;
  return { state, parent: Number(parent), group: Number(group), session: Number(session), start };
}
function isDeadState(state) {
  return state.startsWith("Z") || state.startsWith("X") || state.startsWith("x");
}
function identityFrom(value) {
  if (!isFields(value)) return null;
  const { pid, start, bootId: bootId2 } = value;
  if (typeof pid !== "number" || pid < 2 || typeof start !== "string" || typeof bootId2 !== "string") return null;
  return { pid, start, bootId: bootId2 };
}
function look(pid) {
  try {
    if (HAS_PROC) return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
    const env = { ...process.env, LC_ALL: "C" };
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { env, encoding: "utf8" }).trim();
    const [state = "Z", ...start] = line.split(/\s+/);
    return { state, start: start.join(" ") };
  } catch {
    return null;
  }
}
var knownBootId = null;
function bootId() {
  knownBootId ??= readBootId();
  return knownBootId;
}
function readBootId() {
  if (HAS_PROC) return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return execFileSync("sysctl", ["-n", "kern.boottime"], { encoding: "utf8" }).trim();
}

// server/runner/host/cgroup.ts
var PREFIX = "camelot.";
var PROCESSES = "cgroup.procs";
var KILL = "cgroup.kill";
function createControlGroup(mark) {
  const own = HAS_PROC ? ownGroupFolder() : null;
  if (!own) return null;
  const path = join2(own, PREFIX + mark);
  try {
    accessSync(join2(own, PROCESSES), constants.W_OK);
    mkdirSync(path);
  } catch {
    return null;
  }
  if (existsSync(join2(path, KILL))) return { path };
  removeControlGroup({ path });
  return null;
}
function bornInside(group, spawn3) {
  if (!group || !move(group.path)) return spawn3();
  try {
    return spawn3();
  } finally {
    move(join2(group.path, ".."));
  }
}
function membersOf(group) {
  const pids = readLines(join2(group.path, PROCESSES)).map(Number);
  return [...pids, ...childGroups(group).flatMap(membersOf)];
}
function killGroup(group) {
  try {
    writeFileSync(join2(group.path, KILL), "1");
  } catch {
  }
}
function removeControlGroup(group) {
  for (const child of childGroups(group)) removeControlGroup(child);
  try {
    rmdirSync(group.path);
  } catch {
  }
}
function move(path) {
  try {
    writeFileSync(join2(path, PROCESSES), String(process.pid));
    return true;
  } catch {
    return false;
  }
}
function childGroups(group) {
  try {
    const entries = readdirSync(group.path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => ({ path: join2(group.path, entry.name) }));
  } catch {
    return [];
  }
}
function ownGroupFolder() {
  const own = readLines("/proc/self/cgroup").find((line) => line.startsWith("0::"))?.slice(3);
  if (!own) return null;
  for (const line of readLines("/proc/self/mountinfo")) {
    const [mount = "", type = ""] = line.split(" - ");
    const [, , , root = "/", mountPoint = ""] = mount.split(" ");
    if (!type.startsWith("cgroup2 ")) continue;
    const below = relative(root, own);
    if (!below.startsWith("..")) return join2(mountPoint, below);
  }
  return null;
}
function readLines(path) {
  try {
    return readFileSync2(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

// server/runner/host/claim.ts
import { randomUUID } from "node:crypto";
import { mkdir, rename as rename2, rm as rm2 } from "node:fs/promises";
import { join as join3 } from "node:path";
var OWNER_FILE = "owner.json";
async function claim(folder2, by, owner) {
  const prepared = join3(folder2, `.${CLAIM_FOLDER}.${by}.${randomUUID()}`);
  await mkdir(prepared, { mode: 448 });
  try {
    await writeRunFile(prepared, OWNER_FILE, { by, ...owner });
    await rename2(prepared, join3(folder2, CLAIM_FOLDER));
    return true;
  } catch (error) {
    await rm2(prepared, { recursive: true, force: true });
    if (isErrorCode(error, "ENOTEMPTY", "EEXIST")) return false;
    throw error;
  }
}
async function readClaim(folder2) {
  const reading = await readRunFile(join3(folder2, CLAIM_FOLDER, OWNER_FILE));
  if (reading.kind === "absent") return null;
  const owner = reading.kind === "read" ? identityFrom(reading.fields) : null;
  if (reading.kind !== "read" || !owner) throw new Error("The claim of this run cannot be read.");
  return { by: reading.fields.by === "server" ? "server" : "host", owner };
}

// server/runner/host/drivers/plain.ts
import { closeSync, openSync, unlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join as join4 } from "node:path";
var FOLDER_WORD = "{{runFolder}}";
var PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;
var OURS = /^(order|spawned|host|ending|stop)\.json$|^(claim|orders)$|^journal\.|^host\.log$/;
async function preparePlain(folder2, command) {
  const files = Object.entries(command.files ?? {});
  for (const [name, content] of files) {
    if (!PLAIN_NAME.test(name) || OURS.test(name)) throw new Error(`A file for the agent may not be called ${name}.`);
    await replaceFile(folder2, name, content);
  }
  const stdinFd = command.stdin === null ? null : await openNamelessFile(folder2, command.stdin);
  const argv = insertFolder(command.argv, folder2, files);
  return {
    async start(launch2) {
      try {
        return await launch2({ argv, stdinFd });
      } finally {
        if (stdinFd !== null) closeSync(stdinFd);
      }
    }
  };
}
function insertFolder(argv, folder2, files) {
  return argv.map(
    (word) => files.reduce((text, [name]) => text.replaceAll(`${FOLDER_WORD}/${name}`, () => join4(folder2, name)), word)
  );
}
async function openNamelessFile(folder2, content) {
  const path = join4(folder2, `.stdin.${process.pid}`);
  await writeFile(path, content, { mode: 384 });
  const fd = openSync(path, "r");
  unlinkSync(path);
  return fd;
}

// server/runner/host/ending.ts
async function writeEnding(folder2, ending) {
  await writeRunFile(folder2, ENDING_FILE, ending, true);
}

// server/runner/host/process-table.ts
import { execFile } from "node:child_process";
import { readdirSync as readdirSync2, readFileSync as readFileSync3 } from "node:fs";
import { setImmediate as pause } from "node:timers/promises";
import { promisify } from "node:util";
var MARK_VARIABLE = "CAMELOT_RUN";
function listProcesses() {
  return HAS_PROC ? listFromProc() : listFromPs();
}
var SLICE = 40;
async function listFromProc() {
  const rows = [];
  const names = readdirSync2("/proc").filter((name) => /^[1-9][0-9]*$/.test(name));
  for (let from = 0; from < names.length; from += SLICE) {
    if (from > 0) await pause();
    for (const name of names.slice(from, from + SLICE)) {
      const row = readProc(Number(name));
      if (row) rows.push(row);
    }
  }
  return rows;
}
function readProc(pid) {
  try {
    const stat2 = parseStat(readFileSync3(`/proc/${pid}/stat`, "latin1"));
    return stat2 && !isDeadState(stat2.state) ? { pid, ...stat2, mark: readMark(pid) } : null;
  } catch {
    return null;
  }
}
function readMark(pid) {
  try {
    return findMark(readFileSync3(`/proc/${pid}/environ`, "latin1").split("\0"));
  } catch {
    return null;
  }
}
function findMark(words) {
  const prefix = `${MARK_VARIABLE}=`;
  return words.find((word) => word.startsWith(prefix))?.slice(prefix.length) ?? null;
}
async function listFromPs() {
  const columns = "pid=,ppid=,pgid=,sess=,stat=,lstart=,command=";
  const { stdout } = await promisify(execFile)("ps", ["-axww", "-E", "-o", columns], {
    env: { ...process.env, LC_ALL: "C" },
    encoding: "latin1",
    maxBuffer: 64e6
  });
  return stdout.split("\n").flatMap((line) => parsePsLine(line) ?? []);
}
function parsePsLine(line) {
  const [pid, parent, group, session, state, ...rest] = line.trim().split(/\s+/);
  if (!pid || !state || isDeadState(state)) return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    // macOS prints an address or 0 here, which never equals a pid.
    session: Number(session),
    start: rest.slice(0, 5).join(" "),
    mark: findMark(rest.slice(5))
  };
}

// server/runner/host/environment.ts
var PASSED_ON = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"];
var LOCALE = /^LC_[A-Z]+$/;
var DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
var NEVER_ASK = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat"
};
function allowedEnvironment(source) {
  const allowed = { PATH: DEFAULT_PATH };
  for (const [name, value] of Object.entries(source)) {
    if (value && (PASSED_ON.includes(name) || LOCALE.test(name))) allowed[name] = value;
  }
  return allowed;
}
function agentEnvironment(source, run, variables) {
  return {
    ...allowedEnvironment(source),
    ...NEVER_ASK,
    ...variables,
    CAMELOT_SESSION: run.sessionId,
    [MARK_VARIABLE]: run.mark
  };
}

// server/runner/host/interrupts.ts
import { watch } from "node:fs";
import { access } from "node:fs/promises";
import { join as join5 } from "node:path";

// server/runner/host/run-clock.ts
var BUSY_TICKS = 5;
function createRunClock(start, limitMs, tickMs) {
  let last = start;
  let lastedMs = 0;
  return {
    tick(now) {
      const gapMs = Math.max(0, now - last);
      last = now;
      lastedMs += gapMs > BUSY_TICKS * tickMs ? tickMs : gapMs;
      return lastedMs >= limitMs;
    }
  };
}
function tickFor(limitMs) {
  return Math.min(1e3, Math.max(20, limitMs / 10));
}

// server/runner/host/interrupts.ts
var LOOK_MS = 1e3;
async function listenForInterrupts(folder2, longestRunMs) {
  let current = null;
  let resolveFirst = () => {
  };
  const first = new Promise((resolve) => {
    resolveFirst = resolve;
  });
  const raise = (interrupt) => {
    current ??= interrupt;
    resolveFirst(current);
  };
  const look2 = () => lookForStop(folder2, () => raise("stopped"));
  const stops = [watchOrders(folder2, look2), tickRunClock(longestRunMs, () => raise("timed-out"))];
  process.on("SIGHUP", () => {
  });
  process.on("SIGINT", () => {
  });
  process.on("SIGTERM", () => raise("stopped"));
  await look2();
  return {
    first,
    get current() {
      return current;
    },
    raise,
    close() {
      for (const stop of stops) stop();
    }
  };
}
async function lookForStop(folder2, found) {
  await access(join5(folder2, ORDERS_FOLDER, STOP_ORDER_FILE)).then(found, () => {
  });
}
function watchOrders(folder2, look2) {
  const timer = setInterval(() => void look2(), LOOK_MS);
  try {
    const watcher = watch(join5(folder2, ORDERS_FOLDER), () => void look2());
    watcher.on("error", () => watcher.close());
    return () => {
      clearInterval(timer);
      watcher.close();
    };
  } catch {
    return () => clearInterval(timer);
  }
}
function tickRunClock(limitMs, over) {
  const tickMs = tickFor(limitMs);
  const clock = createRunClock(performance.now(), limitMs, tickMs);
  const timer = setInterval(() => {
    if (clock.tick(performance.now())) over();
  }, tickMs);
  return () => clearInterval(timer);
}

// server/runner/host/launch.ts
import { spawn } from "node:child_process";
import { existsSync as existsSync2 } from "node:fs";
import { stat } from "node:fs/promises";
import { delimiter, join as join6 } from "node:path";
async function launch(request) {
  const isFolder = await stat(request.cwd).then(
    (found) => found.isDirectory(),
    () => false
  );
  if (!isFolder) return { kind: "failed", message: `The folder to work in is not there: ${request.cwd}.` };
  try {
    return await settle(bornInside(request.group, () => spawnChild(request)));
  } catch (error) {
    return { kind: "failed", message: describeFailure(error, request.argv[0] ?? "", request.environment.PATH ?? "") };
  }
}
function spawnChild(request) {
  const [program = "", ...args] = request.argv;
  return spawn(program, args, {
    cwd: request.cwd,
    env: request.environment,
    stdio: [request.stdinFd ?? "ignore", request.outputFd, request.outputFd],
    detached: true
  });
}
function settle(child) {
  return new Promise((resolve, reject) => {
    const exited = new Promise((ended) => {
      child.once("exit", (code, signal2) => ended({ code, signal: signal2, at: Date.now() }));
    });
    const identity = child.pid ? identifyChild(child.pid) : null;
    child.once("error", reject);
    child.once("spawn", () => resolve({ kind: "started", identity, exited }));
  });
}
function describeFailure(error, program, path) {
  const isNowhere = isErrorCode(error, "EACCES") && !program.includes("/") && !isOnPath(program, path);
  if (isErrorCode(error, "ENOENT") || isNowhere) {
    return program.includes("/") ? `${program}, or the interpreter it names, is not installed.` : `${program} is not installed or not on the PATH.`;
  }
  if (isErrorCode(error, "EACCES", "EPERM")) return `${program} may not be run: it is not executable for this user.`;
  if (isErrorCode(error, "E2BIG")) {
    return "The command line is longer than this machine allows: pass the prompt on stdin or as a file.";
  }
  if (isErrorCode(error, "ERR_INVALID_ARG_VALUE"))
    return "The command line or a variable contains a character that no program can be given.";
  if (isErrorCode(error, "ENOEXEC")) return `${program} is not a program this machine can run.`;
  return `${program} could not be started: ${error instanceof Error ? error.message : String(error)}.`;
}
function isOnPath(program, path) {
  return path.split(delimiter).some((folder2) => existsSync2(join6(folder2, program)));
}

// server/runner/host/order.ts
import { rm as rm3 } from "node:fs/promises";
import { join as join7 } from "node:path";
async function readOrder(folder2) {
  const reading = await readRunFile(join7(folder2, ORDER_FILE));
  if (reading.kind === "absent" || reading.kind === "read" && !("command" in reading.fields)) return null;
  const order = reading.kind === "read" ? orderFrom(reading.fields) : null;
  if (!order) throw new Error(`This host cannot read the order: ${reading.kind}.`);
  return order;
}
async function cutDownOrder(folder2, order) {
  const { driver, mark, sessionId, attempt, epoch, cwd, limits } = order;
  try {
    await writeRunFile(folder2, ORDER_FILE, { driver, mark, sessionId, attempt, epoch, cwd, limits });
  } catch {
    await rm3(join7(folder2, ORDER_FILE), { force: true });
  }
}
function orderFrom(fields) {
  const { driver, mark, sessionId, attempt, epoch, command, setupScript, cwd, environment, secrets, limits } = fields;
  if (driver !== "plain" || typeof mark !== "string" || typeof sessionId !== "string") return null;
  if (typeof attempt !== "number" || typeof epoch !== "number" || typeof cwd !== "string") return null;
  if (!isFields(command) || !isTexts(command.argv) || !isFields(limits)) return null;
  const { longestRunMs, termGraceMs } = limits;
  if (typeof longestRunMs !== "number" || typeof termGraceMs !== "number") return null;
  return {
    driver,
    mark,
    sessionId,
    attempt,
    epoch,
    command: {
      argv: command.argv,
      stdin: typeof command.stdin === "string" ? command.stdin : null,
      files: isTextRecord(command.files) ? command.files : {}
    },
    setupScript: typeof setupScript === "string" ? setupScript : null,
    cwd,
    environment: isTextRecord(environment) ? environment : {},
    secrets: isTexts(secrets) ? secrets : [],
    limits: { longestRunMs, termGraceMs }
  };
}
function isTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
function isTextRecord(value) {
  return isFields(value) && isTexts(Object.values(value));
}

// server/runner/host/journal.ts
import { closeSync as closeSync2, fsyncSync, openSync as openSync2, rmSync, writeSync } from "node:fs";
import { join as join8 } from "node:path";
var HEAD_BYTES = 4e7;
var TAIL_BYTES = 1e7;
var SEGMENT_BYTES = 1e6;
var OFFSET_DIGITS = 16;
var LIMITS = { headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES, segmentBytes: SEGMENT_BYTES };
function openJournal(folder2, limits = LIMITS) {
  let file = openSync2(join8(folder2, JOURNAL_HEAD_FILE), "a", 384);
  let end = 0;
  let fileEnd = limits.headBytes;
  const segments = [];
  const nextSegment = () => {
    closeSync2(file);
    file = openSync2(join8(folder2, segmentName(end)), "a", 384);
    segments.push(end);
    fileEnd = end + limits.segmentBytes;
    while (segments[1] !== void 0 && end - segments[1] >= limits.tailBytes) {
      rmSync(join8(folder2, segmentName(segments.shift() ?? 0)), { force: true });
    }
  };
  return {
    get end() {
      return end;
    },
    append(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (end === fileEnd) nextSegment();
        const written = writeSync(file, bytes, at, Math.min(bytes.length - at, fileEnd - end));
        at += written;
        end += written;
      }
    },
    close() {
      try {
        fsyncSync(file);
      } finally {
        closeSync2(file);
      }
    }
  };
}
function segmentName(offset) {
  return JOURNAL_TAIL_PREFIX + String(offset).padStart(OFFSET_DIGITS, "0");
}

// server/runner/host/output-pipe.ts
import { execFile as execFile2, spawn as spawn2 } from "node:child_process";
import { closeSync as closeSync3, constants as constants2, openSync as openSync3, readSync, unlinkSync as unlinkSync2 } from "node:fs";
import { Socket } from "node:net";
import { join as join9 } from "node:path";
import { promisify as promisify2 } from "node:util";
var READ_BYTES = 65536;
var PIPE_BYTES = 1048576;
var F_SETPIPE_SZ = 1031;
var WIDENERS = [
  ["perl", "-e", `fcntl(STDOUT, ${F_SETPIPE_SZ}, ${PIPE_BYTES}) or exit 1`],
  ["python3", "-c", `import fcntl; fcntl.fcntl(1, ${F_SETPIPE_SZ}, ${PIPE_BYTES})`]
];
var DRAIN_LIMIT_BYTES = 4e6;
async function openOutputPipe(folder2) {
  const path = join9(folder2, `.output.${process.pid}`);
  await promisify2(execFile2)("mkfifo", ["-m", "600", path]);
  const readFd = openSync3(path, constants2.O_RDONLY | constants2.O_NONBLOCK);
  const writeFd = openSync3(path, constants2.O_WRONLY);
  unlinkSync2(path);
  await widen(writeFd);
  const socket = new Socket({ fd: readFd, readable: true, writable: false });
  socket.pause();
  return {
    writeFd,
    flow(take) {
      socket.on("data", take);
      socket.resume();
    },
    drain(take) {
      socket.removeAllListeners("data");
      socket.pause();
      for (let rest = socket.read(); rest; rest = socket.read()) take(rest);
      drainNow(readFd, take);
      socket.destroy();
      closeSync3(writeFd);
    }
  };
}
async function widen(writeFd) {
  if (!HAS_PROC) return;
  for (const [program = "", ...args] of WIDENERS) {
    const child = spawn2(program, args, { stdio: ["ignore", writeFd, "ignore"] });
    const isDone = await new Promise((answer) => {
      child.once("error", () => answer(false));
      child.once("exit", (code) => answer(code === 0));
    });
    if (isDone) return;
  }
}
function drainNow(fd, take) {
  const buffer = Buffer.alloc(READ_BYTES);
  for (let total = 0; total < DRAIN_LIMIT_BYTES; ) {
    const read = readNow(fd, buffer);
    if (read === 0) return;
    total += read;
    take(buffer.subarray(0, read));
  }
}
function readNow(fd, buffer) {
  try {
    return readSync(fd, buffer);
  } catch (error) {
    if (isErrorCode(error, "EAGAIN")) return 0;
    throw error;
  }
}

// server/runner/host/reserve.ts
import { randomBytes } from "node:crypto";
import { rmSync as rmSync2 } from "node:fs";
import { writeFile as writeFile2 } from "node:fs/promises";
import { join as join10 } from "node:path";
var RESERVE_BYTES = 65536;
async function openReserve(folder2) {
  const path = join10(folder2, `.reserve.${process.pid}`);
  await writeFile2(path, randomBytes(RESERVE_BYTES), { mode: 384 });
  return { release: () => rmSync2(path, { force: true }) };
}

// server/runner/host/recorder.ts
async function openRecorder(folder2, secrets, diskRefused) {
  const masker = createMasker(secrets);
  const reserve = await openReserve(folder2);
  const journal = openJournal(folder2);
  const pipe = await openOutputPipe(folder2);
  let isRefused = false;
  const guarded = (write) => {
    if (isRefused) return;
    try {
      write();
    } catch (error) {
      isRefused = true;
      reserve.release();
      diskRefused(error);
    }
  };
  const take = (bytes) => guarded(() => journal.append(masker.push(bytes)));
  pipe.flow(take);
  return {
    writeFd: pipe.writeFd,
    close() {
      pipe.drain(take);
      guarded(() => journal.append(masker.end()));
      guarded(() => journal.close());
      reserve.release();
      return journal.end;
    }
  };
}

// server/runner/host/setup.ts
import { join as join11 } from "node:path";
var SETUP_FILE = "setup.sh";
function prepareSetup(folder2, script) {
  return preparePlain(folder2, {
    argv: ["bash", "-e", "-o", "pipefail", join11(folder2, SETUP_FILE)],
    stdin: null,
    files: { [SETUP_FILE]: script }
  });
}

// server/runner/host/tree.ts
import { setTimeout as sleep } from "node:timers/promises";
var FIRST_PAUSE_MS = 20;
var LONGEST_PAUSE_MS = 200;
var GIVE_UP_MS = 15e3;
async function endTree(tree, limits) {
  const started = performance.now();
  const killAt = started + limits.graceMs;
  const giveUpAt = killAt + (limits.giveUpMs ?? GIVE_UP_MS);
  const told = /* @__PURE__ */ new Set();
  let emptyScans = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const members = await findTree(tree);
    emptyScans = members.length === 0 ? emptyScans + 1 : 0;
    const now = performance.now();
    if (emptyScans === 2 || now > giveUpAt) {
      if (tree.group) removeControlGroup(tree.group);
      return members.map((member) => member.pid);
    }
    if (now >= killAt) kill(tree, members);
    else if (told.size === 0 || !tree.roots.some(isAlive)) terminate(members, told);
    const untilKillMs = now < killAt ? killAt - now : pauseMs;
    await sleep(emptyScans > 0 ? FIRST_PAUSE_MS : Math.min(pauseMs, untilKillMs));
  }
}
async function findTree(tree) {
  const boot = bootId();
  const rows = await listProcesses();
  const members = new Set(rows.filter(isMember(tree, rows)).map((row) => row.pid));
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of rows) if (members.has(row.parent)) members.add(row.pid);
  }
  members.delete(process.pid);
  return rows.filter((row) => members.has(row.pid)).map(({ pid, start }) => ({ pid, start, bootId: boot }));
}
function isMember(tree, rows) {
  const inGroup = new Set(tree.group ? membersOf(tree.group) : []);
  const startOf = new Map(rows.map((row) => [row.pid, row.start]));
  const leaders = new Set(
    tree.roots.filter((root) => isAlive(root) || tree.trustsEndedRoots && !startOf.has(root.pid)).map((root) => root.pid)
  );
  return (row) => row.mark === tree.mark || inGroup.has(row.pid) || leaders.has(row.pid) || leaders.has(row.session) || leaders.has(row.group);
}
function terminate(members, told) {
  for (const member of members) {
    const key = `${member.pid} ${member.start}`;
    if (told.has(key)) continue;
    told.add(key);
    signal(member, "SIGTERM");
  }
}
function kill(tree, members) {
  if (tree.group) killGroup(tree.group);
  for (const member of members) signal(member, "SIGKILL");
}

// server/runner/host/session-run.ts
var LEFTOVERS_GRACE_MS = 2e3;
async function runSession(folder2) {
  const self = identify(process.pid);
  const order = await readOrder(folder2);
  if (!self || !order || await readClaim(folder2)) return;
  const interrupts = await listenForInterrupts(folder2, order.limits.longestRunMs);
  try {
    const prepared = await prepare(folder2, order, interrupts).catch(describeUnprepared);
    const recorder = "recorder" in prepared ? prepared.recorder : null;
    if (!await claim(folder2, "host", self)) {
      recorder?.close();
      return await cutDownOrder(folder2, order);
    }
    const run = createRun(folder2, order, self, interrupts);
    const outcome = "recorder" in prepared ? await run.work(prepared).catch(run.abandon) : prepared;
    await run.finish(outcome, recorder);
  } finally {
    interrupts.close();
  }
}
async function prepare(folder2, order, interrupts) {
  const setup = order.setupScript ? await prepareSetup(folder2, order.setupScript) : null;
  const agent = await preparePlain(folder2, order.command);
  const recorder = await openRecorder(folder2, order.secrets, () => interrupts.raise("disk-full"));
  return { recorder, setup, agent };
}
function createRun(folder2, order, self, interrupts) {
  const group = createControlGroup(order.mark);
  const roots = [];
  const environment = agentEnvironment(process.env, order, order.environment);
  const end = (graceMs) => {
    const tree = { mark: order.mark, roots, group, trustsEndedRoots: true };
    return endTree(tree, { graceMs });
  };
  const play = async (agent, recorder, isAgent) => {
    const begin = (request) => launch({ ...request, cwd: order.cwd, environment, outputFd: recorder.writeFd, group });
    const launched = await agent.start(begin);
    if (launched.kind === "failed") return { cause: "could-not-start", message: launched.message, exit: null };
    if (launched.identity) roots.push(launched.identity);
    if (isAgent) await record(launched.identity);
    const cause = await Promise.race([launched.exited.then(() => "exited"), interrupts.first]);
    if (cause !== "exited") await end(order.limits.termGraceMs);
    return { cause, exit: await within(1e3, launched.exited) };
  };
  const record = (agent) => writeRunFile(folder2, HOST_FILE, { ...self, agent, group: group?.path ?? null });
  return {
    async work(prepared) {
      await cutDownOrder(folder2, order);
      await record(null);
      if (interrupts.current) return { cause: interrupts.current, exit: null };
      if (prepared.setup) {
        const outcome = await play(prepared.setup, prepared.recorder, false);
        if (outcome.cause !== "exited") return outcome;
        const failure = describeSetupExit(outcome.exit);
        if (failure) return { cause: "could-not-start", message: failure, exit: null };
        if (interrupts.current) return { cause: interrupts.current, exit: null };
      }
      return play(prepared.agent, prepared.recorder, true);
    },
    /** Something of ours went wrong: with a full disk that is an ending; else there is none to tell, only a tree to end. */
    async abandon(error) {
      if (isDiskFull(error)) return { cause: "disk-full", exit: null };
      await end(order.limits.termGraceMs);
      throw error;
    },
    async finish(outcome, recorder) {
      const left = await end(Math.min(LEFTOVERS_GRACE_MS, order.limits.termGraceMs));
      const outputBytes = recorder?.close() ?? 0;
      const stuck = left.length > 0 ? `Processes that could not be ended: ${left.join(", ")}.` : void 0;
      const message = outcome.message ?? stuck;
      await writeEndingSomehow(folder2, {
        // The disk may have refused the very last bytes, after the agent was over.
        cause: outcome.cause === "exited" && interrupts.current === "disk-full" ? "disk-full" : outcome.cause,
        exitCode: outcome.exit?.code ?? null,
        signal: outcome.exit?.signal ?? null,
        endedAt: outcome.exit?.at ?? Date.now(),
        outputBytes,
        ...message ? { message: maskText(message, order.secrets) } : {}
      });
    }
  };
}
var ENDING_TRIES = 30;
var ENDING_PAUSE_MS = 1e3;
async function writeEndingSomehow(folder2, ending) {
  for (let tries = 1; ; tries++) {
    try {
      return await writeEnding(folder2, ending);
    } catch (error) {
      if (tries === ENDING_TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, ENDING_PAUSE_MS));
    }
  }
}
function describeSetupExit(exit) {
  if (exit?.code === 0) return null;
  const how = exit?.signal ? `was ended by ${exit.signal}` : `failed with exit code ${exit?.code ?? "unknown"}`;
  return `The setup script ${how}.`;
}
function within(ms, promise) {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms, null))]);
}
function describeUnprepared(error) {
  if (isDiskFull(error)) return { cause: "disk-full", exit: null };
  const message = error instanceof Error ? error.message : String(error);
  return { cause: "could-not-start", message: `The run could not be prepared: ${message}`, exit: null };
}
function isDiskFull(error) {
  return isErrorCode(error, "ENOSPC", "EDQUOT");
}

// server/runner/host/main.ts
var [, , folder] = process.argv;
if (!folder) {
  process.stderr.write("The session host is started by Camelot itself, with a run folder.\n");
  process.exit(64);
}
async function report(error) {
  const text = error instanceof Error ? error.stack ?? error.message : String(error);
  await appendFile(join12(folder ?? "", HOST_LOG_FILE), `${(/* @__PURE__ */ new Date()).toISOString()} ${text}
`).catch(() => {
  });
  process.exit(70);
}
process.on("uncaughtException", report);
process.on("unhandledRejection", report);
runSession(folder).then(() => process.exit(0), report);
