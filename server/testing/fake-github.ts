/**
 * A GitHub of one repository on 127.0.0.1, as far as the product uses it: git over HTTP, and those of its REST endpoints.
 * It looks into the real repository, so that what was not pushed is not there, and answers marks (ETag) as GitHub does.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { answerGit } from "./git-over-http";
import { makeRepository, runGit } from "./git-repositories";

const OWNER = "acme";
const NAME = "shop";
const REPOSITORY = `/repos/${OWNER}/${NAME}`;
/** GitHub's own ids are other numbers, and large ones. */
const ISSUE_IDS = 3_000_000_000;
/** GitHub gives no more at once, whatever is asked for. */
const PAGE_MAX = 100;

export interface FakePull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
  state: "open" | "closed";
  merged: string | null;
}

export interface FakeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly string[];
  state: "open" | "closed";
}

/** As GitHub sends them. */
type Raw = Record<string, unknown>;

export type FakeGitHub = Awaited<ReturnType<typeof fakeGitHub>>;

/** Its files lie in `folder`; `main` begins with them. */
export async function fakeGitHub(folder: string, token: string, files: Readonly<Record<string, string>>) {
  const bare = path.join(folder, OWNER, `${NAME}.git`);
  await mkdir(path.dirname(bare), { recursive: true });
  const source = await makeRepository(path.join(folder, "source"), files);
  await runGit(folder, "clone", "-q", "--bare", source, bare);
  const pulls: FakePull[] = [];
  const issues: FakeIssue[] = [];
  const asked: { readonly call: string; readonly status: number }[] = [];
  const said = { runs: [] as Raw[], statuses: [] as Raw[], comments: [] as Raw[], reviews: [] as Raw[] };
  const mood = {
    /** The token may read and not write. */
    mayWrite: true,
    /** The token may read issues. */
    mayReadIssues: true,
    /** Unix seconds until which nothing is answered; null: no limit. */
    limitedUntil: null as number | null,
    /** A pull request is made, and the answer waits for this. */
    holdAnswer: null as Promise<void> | null,
  };
  let issueCount = 417;

  const headOf = (branch: string) =>
    runGit(bare, "rev-parse", "--verify", "-q", `refs/heads/${branch}`).catch(() => null);
  const viewOf = async (pull: FakePull): Promise<Raw> => ({
    number: pull.number,
    html_url: `${base()}/${OWNER}/${NAME}/pull/${pull.number}`,
    state: pull.state,
    draft: pull.draft,
    title: pull.title,
    body: pull.body,
    merged: pull.merged !== null,
    merged_at: pull.merged === null ? null : "2026-11-30T10:00:00Z",
    merge_commit_sha: pull.merged,
    head: { ref: pull.head, sha: await headOf(pull.head) },
    base: { ref: pull.base },
  });
  const openOf = (head: string | null) =>
    pulls.filter((pull) => pull.state === "open" && (head === null || head === `${OWNER}:${pull.head}`));

  /** Pull requests are among them, as GitHub has it; here each of them has every label. Newest first, if that is asked for. */
  function issuesAsked(asked: URLSearchParams): Raw[] {
    const wanted = asked.get("labels")?.toLowerCase().split(",") ?? [];
    const all: Raw[] = [
      ...issues.map(({ labels, ...issue }) => ({
        ...issue,
        id: ISSUE_IDS + issue.number,
        html_url: `${base()}/${OWNER}/${NAME}/issues/${issue.number}`,
        labels: labels.map((name) => ({ name })),
      })),
      ...pulls.map(({ number, title, body, state }) => ({
        id: ISSUE_IDS + number,
        number,
        title,
        body,
        state,
        labels: wanted.map((name) => ({ name })),
        pull_request: { url: `${base()}/api/v3${REPOSITORY}/pulls/${number}` },
      })),
    ];
    const has = ({ labels }: Raw, name: string) =>
      (labels as readonly { name: string }[]).some((label) => label.name.toLowerCase() === name);
    const found = all
      .filter((one) => one.state === (asked.get("state") ?? "open") && wanted.every((name) => has(one, name)))
      .sort((one, other) => Number(one.number) - Number(other.number));
    if (asked.get("direction") !== "asc") found.reverse();
    const size = Math.min(Number(asked.get("per_page") ?? 30), PAGE_MAX);
    const first = (Number(asked.get("page") ?? 1) - 1) * size;
    return found.slice(first, first + size);
  }

  async function make(wish: Raw): Promise<[number, unknown]> {
    const [head, into] = [String(wish.head), String(wish.base)];
    const invalid = (message: string): [number, unknown] => [
      422,
      { message: "Validation Failed", errors: [{ resource: "PullRequest", code: "custom", message }] },
    ];
    if ((await headOf(head)) === null || (await headOf(into)) === null) return invalid("invalid head or base");
    const ahead = await runGit(bare, "rev-list", "--count", `${into}..${head}`);
    if (ahead === "0") return invalid(`No commits between ${into} and ${head}`);
    // As GitHub does, in one step with making it.
    if (openOf(`${OWNER}:${head}`).length > 0) return invalid(`A pull request already exists for ${OWNER}:${head}.`);
    issueCount += 1;
    const texts = { title: String(wish.title), body: String(wish.body), head, base: into, draft: wish.draft === true };
    const pull: FakePull = { number: issueCount, ...texts, state: "open", merged: null };
    pulls.push(pull);
    await mood.holdAnswer;
    return [201, await viewOf(pull)];
  }

  async function answer(request: IncomingMessage, url: URL): Promise<[number, unknown]> {
    const route = url.pathname.replace("/api/v3", "");
    if (![`Bearer ${token}`, `Bearer ${spareOf(token)}`].includes(request.headers.authorization ?? ""))
      return [401, { message: "Bad credentials" }];
    // GitHub takes capitals for small letters in a repository's name.
    if (!route.toLowerCase().startsWith(`${REPOSITORY}/`)) return [404, { message: "Not Found" }];
    const [what = "", which = "", part = ""] = route.slice(REPOSITORY.length + 1).split("/");
    if (request.method === "POST") {
      if (!mood.mayWrite) return [403, { message: "Resource not accessible by personal access token" }];
      return what === "pulls" && which === "" ? make(await bodyOf(request)) : [404, { message: "Not Found" }];
    }
    if (what === "pulls" && which === "")
      return [200, await Promise.all(openOf(url.searchParams.get("head")).map(viewOf))];
    if (what === "issues" && which === "") {
      if (!mood.mayReadIssues) return [403, { message: "Resource not accessible by personal access token" }];
      return [200, issuesAsked(url.searchParams)];
    }
    const pull = pulls.find(({ number }) => String(number) === which);
    if (what === "pulls" && pull !== undefined) {
      if (part === "") return [200, await viewOf(pull)];
      if (part === "comments") return [200, said.comments];
      if (part === "reviews") return [200, said.reviews];
    }
    if (what === "commits" && part === "check-runs")
      return [200, { total_count: said.runs.length, check_runs: said.runs }];
    if (what === "commits" && part === "status") return [200, { state: "success", statuses: said.statuses }];
    return [404, { message: "Not Found" }];
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const limit = mood.limitedUntil;
    const limited = limit === null ? null : ([403, { message: "API rate limit exceeded" }] as const);
    const [status, body] = limited ?? (await answer(request, url));
    const json = JSON.stringify(body);
    const mark = `"${createHash("sha1").update(json).digest("hex")}"`;
    const isKnown = status === 200 && request.headers["if-none-match"] === mark;
    asked.push({
      call: `${request.method} ${url.pathname.replace(`/api/v3${REPOSITORY}`, "")}`,
      status: isKnown ? 304 : status,
    });
    const limits = limit === null ? {} : { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(limit) };
    response.writeHead(isKnown ? 304 : status, {
      "content-type": "application/json; charset=utf-8",
      etag: mark,
      ...limits,
    });
    response.end(isKnown ? undefined : json);
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    if (url.pathname.startsWith("/api/v3/")) return void answerApi(request, response, url);
    const login = Buffer.from((request.headers.authorization ?? "").replace(/^Basic /, ""), "base64").toString();
    if (login !== `x-access-token:${token}`) {
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    }
    answerGit(folder, "x-access-token", request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const base = () => `http://127.0.0.1:${port}`;

  return {
    apiUrl: `${base()}/api/v3`,
    /** Where it is cloned from, with its login. */
    cloneUrl: `http://x-access-token:${token}@127.0.0.1:${port}/${OWNER}/${NAME}.git`,
    bare,
    pulls,
    issues,
    /** Its number. */
    addIssue({ title = "An issue", body = "Do it.", labels = ["camelot"] }: Partial<FakeIssue> = {}): number {
      issueCount += 1;
      issues.push({ number: issueCount, title, body, labels, state: "open" });
      return issueCount;
    },
    said,
    mood,
    /** Calls of the API, as they came. */
    asked,
    pull(number: number): FakePull {
      const found = pulls.find((one) => one.number === number);
      if (found === undefined) throw new Error(`there is no pull request ${number}`);
      return found;
    },
    /** As "Rebase and merge": the base moves to the branch. */
    async merge(number: number): Promise<string> {
      const pull = pulls.find((one) => one.number === number);
      const head = pull === undefined ? null : await headOf(pull.head);
      if (pull === undefined || head === null) throw new Error(`there is nothing to merge as ${number}`);
      await runGit(bare, "update-ref", `refs/heads/${pull.base}`, head);
      Object.assign(pull, { state: "closed", merged: head });
      return head;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Another token that is let in: limits are counted by token. */
export function spareOf(token: string): string {
  return `${token}-spare`;
}

async function bodyOf(request: IncomingMessage): Promise<Raw> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Raw;
}

/** A comment on a line, as GitHub sends it. */
export function lineComment(id: number, author: string, file: string, line: number, text: string): Raw {
  const hunk = `@@ -1,1 +1,${line} @@\n context\n+the line`;
  const place = { path: file, line, diff_hunk: hunk };
  return {
    id,
    user: { login: author },
    body: text,
    created_at: "2026-11-30T09:00:00Z",
    html_url: "https://github.com/c",
    ...place,
  };
}
