import { expect, test } from "vitest";
import { GITHUB_API, issueAddress, readApiUrl, repositoryOn } from "./github-address";

test.each([
  ["https://github.com/acme/shop.git", "acme/shop"],
  ["https://github.com/acme/shop/", "acme/shop"],
  ["git@github.com:acme/shop.git", "acme/shop"],
  ["ssh://git@github.com:22/acme/shop.js.git", "acme/shop.js"],
  ["ssh://git@ssh.github.com:443/acme/shop.git", "acme/shop"],
  ["https://gitlab.com/acme/shop.git", null],
  ["https://github.com.evil.example/acme/shop.git", null],
  ["https://github.com/acme/shop/more", null],
  ["https://github.com/acme/..", null],
  ["https://github.com/acme", null],
  ["/srv/git/shop.git", null],
  ["file:///acme/shop.git", null],
])("[W4] the remote %s is, on GitHub, %s", (remote, repository) => {
  expect(repositoryOn(remote, GITHUB_API)).toBe(repository);
});

test("[W4] a server of one's own and GitHub's enterprise cloud are known by the address of their API", () => {
  expect(repositoryOn("git@git.example.org:acme/shop.git", "https://git.example.org/api/v3")).toBe("acme/shop");
  expect(repositoryOn("git@github.com:acme/shop.git", "https://git.example.org/api/v3")).toBeNull();
  expect(repositoryOn("https://acme.ghe.com/acme/shop", "https://api.acme.ghe.com")).toBe("acme/shop");
});

test("[W4][A3] a token travels by https only, or on this machine", () => {
  expect(readApiUrl(" https://git.example.org/api/v3/ ")).toEqual({ url: "https://git.example.org/api/v3" });
  expect(readApiUrl("http://127.0.0.1:3000/api/v3")).toEqual({ url: "http://127.0.0.1:3000/api/v3" });
  for (const wrong of [
    "http://git.example.org",
    "https://me:word@git.example.org",
    "file:///etc",
    "git",
    "https://a/?b",
  ]) {
    expect(readApiUrl(wrong)).toEqual({ mistake: expect.stringMatching(/^The address of the API /) });
  }
});

test.each([
  [GITHUB_API, "https://github.com/acme/shop/issues/7"],
  ["https://api.acme.ghe.com", "https://acme.ghe.com/acme/shop/issues/7"],
  ["https://git.example.org:8443/api/v3", "https://git.example.org:8443/acme/shop/issues/7"],
  ["http://127.0.0.1:3000/api/v3", "http://127.0.0.1:3000/acme/shop/issues/7"],
])("[W4] behind the API %s, people read an issue at %s", (apiUrl, address) => {
  expect(issueAddress({ apiUrl, repository: "acme/shop", number: 7 })).toBe(address);
});
