import http from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFront } from "./front";
import { createGuard } from "./guard";

/** A server whose doors only say who answered and what they were told. */
let server: http.Server;
let port: number;
const failures: unknown[] = [];

beforeAll(async () => {
  const say = (who: string) => (request: http.IncomingMessage, response: http.ServerResponse) => {
    response.end(JSON.stringify({ who, headers: request.headers }));
  };
  server = http.createServer(
    createFront({
      guard: createGuard(new URL("https://camelot.example.org"), () => performance.now()),
      isDevelopment: false,
      auth: async (request, client) => Response.json({ who: "auth", client, body: await request.text() }),
      api: (request, response) => {
        if (request.url === "/api/v1/broken") throw new Error("broken on purpose");
        say("api")(request, response);
      },
      pages: say("pages"),
      healthz: say("healthz"),
      readyz: say("readyz"),
      metrics: say("metrics"),
      testHooks: null,
      failed: (error) => failures.push(error),
    }),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: { code?: string; who?: string; client?: string; headers?: Record<string, string> };
}

/** Node's own client: unlike `fetch` it lets us send any Host and Origin. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET", body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

describe("which Host is ours", () => {
  test("[S3] every address of this machine is", async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { family, address } of own) {
      const host = family === "IPv6" ? `[${address}]:3000` : address;
      expect([host, (await ask("/api/v1/me", { host })).body.who]).toEqual([host, "api"]);
    }
  });

  test.each([
    "localhost:3000",
    "LOCALHOST",
    "127.0.0.1:8",
    "127.8.9.1",
    "[::1]:3000",
    "camelot.example.org",
    "camelot.example.org:8443",
  ])("[S3] %s is", async (host) => {
    expect((await ask("/api/v1/me", { host })).body.who).toBe("api");
  });

  test.each([
    "evil.example.com",
    "localhost.evil.example.com",
    "127.0.0.1.evil.example.com",
    "10.254.253.252",
    "evil@localhost",
    "localhost:1:2",
    "127.1",
  ])("[S3] %j is not: 403 BAD_HOST on every door but the health calls", async (host) => {
    for (const path of ["/", "/api/v1/me", "/api/auth/get-session", "/metrics", "/projects/x"]) {
      const answer = await ask(path, { host });
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "BAD_HOST"]);
    }
    expect((await ask("/healthz", { host })).body.who).toBe("healthz");
    expect((await ask("/readyz", { host })).body.who).toBe("readyz");
  });
});

describe("where a change may come from", () => {
  const cookie = "camelot.session_token=x";
  const host = "localhost:3000";

  test.each([
    ["its own origin", { cookie, host, origin: "http://localhost:3000" }],
    [
      "its own origin behind a proxy that speaks https",
      { cookie, host: "camelot.example.org", origin: "https://camelot.example.org" },
    ],
    ["BASE_URL although the proxy changed the Host", { cookie, host, origin: "https://camelot.example.org" }],
    ["a browser that says same-origin", { cookie, host, "sec-fetch-site": "same-origin" }],
    ["a program without a cookie", { host }],
    ["a program with a token", { host, authorization: "Bearer x", origin: "http://evil.example.com" }],
  ])("[S3] %s: let in", async (_what, headers) => {
    for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
      expect((await ask("/api/v1/tasks", headers, method)).body.who).toBe("api");
    }
  });

  test.each([
    ["another site", { cookie, host, origin: "http://evil.example.com" }],
    ["another port of this machine", { cookie, host, origin: "http://localhost:4000" }],
    ["an opaque origin", { cookie, host, origin: "null" }],
    ["no origin", { cookie, host }],
    ["a sibling site", { cookie, host, "sec-fetch-site": "same-site" }],
    ["another site, not yet signed in", { host, origin: "http://evil.example.com" }],
    [
      "another site, with a token and a cookie",
      { cookie, host, authorization: "Bearer x", origin: "http://evil.example.com" },
    ],
  ])("[S3] %s: 403 BAD_ORIGIN", async (_what, headers) => {
    for (const path of ["/api/v1/tasks", "/api/auth/sign-out", "/pool"]) {
      const answer = await ask(path, headers, "POST");
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "BAD_ORIGIN"]);
    }
    expect((await ask("/api/v1/tasks", headers)).body.who).toBe("api");
  });
});

describe("what an answer carries", () => {
  test("[S3] pages get a policy with a fresh nonce that only Next is told; scripts of others cannot run", async () => {
    const first = await ask("/", { "content-security-policy": "script-src *", "x-nonce": "mine" });
    const policy = String(first.headers["content-security-policy"]);
    expect(first.body.who).toBe("pages");
    expect(first.body.headers?.["content-security-policy"]).toBe(policy);
    const nonce = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1];
    expect(first.body.headers?.["x-nonce"]).toBe(nonce);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe-eval/);
    expect((await ask("/")).headers["content-security-policy"]).not.toBe(policy);
  });

  test("[S3] every answer refuses to be sniffed or framed, and the API may run nothing", async () => {
    for (const path of ["/", "/api/v1/me", "/healthz", "/api/nothing"]) {
      const { headers } = await ask(path);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(headers["referrer-policy"]).toBe("same-origin");
      expect(headers["content-security-policy"]).toMatch(/frame-ancestors 'none'/);
    }
    expect((await ask("/api/v1/me")).headers["content-security-policy"]).toMatch(/^default-src 'none'/);
  });

  test("[S1] account calls learn the real client, never the one a header claims", async () => {
    const answer = await ask("/api/auth/sign-in/email", { "x-client-ip": "1.2.3.4" }, "POST", "{}");
    expect(answer.body).toMatchObject({ who: "auth", client: "127.0.0.1", body: "{}" });
    const large = await ask("/api/auth/sign-in/email", {}, "POST", "x".repeat(100_000));
    expect([large.status, large.body.code]).toEqual([413, "TOO_LARGE"]);
  });

  test("a door that throws is told as 503, without a stack trace", async () => {
    const answer = await ask("/api/v1/broken");
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ code: "UNAVAILABLE", message: "The server could not answer. Try again." });
    expect(failures).toHaveLength(1);
    expect((await ask("/api/nothing")).body.code).toBe("NOT_FOUND");
  });
});
