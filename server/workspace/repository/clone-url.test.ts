import { expect, test } from "vitest";
import { readCloneUrl } from "./clone-url";

test("[W1] the allowed forms, as they are", () => {
  for (const url of [
    "https://host.example/a/b.git",
    "http://127.0.0.1:3000/x",
    "ssh://git@host.example:2222/a/b.git",
    "git@host.example:a/b.git",
    "file:///srv/repo.git",
    "/srv/my repos/it's/проект.git",
    "https://[::1]:8443/x.git",
  ]) {
    expect(readCloneUrl(url)).toEqual({ kind: "ok", url, credentials: null });
  }
});

test("[W1][A2] nothing that git or ssh could take for an option or a command", () => {
  for (const url of [
    "",
    "-oProxyCommand=touch x",
    "--upload-pack=touch x",
    "--upload-pack=touch",
    "ext::sh -c touch% x",
    "ext::sh",
    "fd::17",
    "ssh://-oProxyCommand=touch/x",
    "ssh://-oProxyCommand=x@host/x",
    "-x@host:path",
    "git@-oProxyCommand=x:path",
    "git@host:-path",
    "ftp://host/x",
    "git://host/x",
    "file://host/x",
    "relative/path",
    "host:path",
    "https://ho st/x",
    "https://host/x\n--upload-pack=x",
    "javascript:alert(1)",
    `https://host/${"x".repeat(3_000)}`,
  ]) {
    expect(readCloneUrl(url), url).toMatchObject({ kind: "refused", message: expect.stringMatching(/\.$/) });
  }
});

test("[W1] an address with a transport helper is told as such, also with spaces in it", () => {
  for (const url of ["ext::sh -c id", "fd::17"]) {
    expect(readCloneUrl(url)).toMatchObject({ message: expect.stringMatching(/^Addresses with a transport helper/) });
  }
});

test("[W1] logins are parted from the address", () => {
  expect(readCloneUrl("https://me:p%40ss@host.example/x.git")).toEqual({
    kind: "ok",
    url: "https://host.example/x.git",
    credentials: { host: "host.example", user: "me", password: "p@ss" },
  });
  expect(readCloneUrl("https://token@host.example:8443/x")).toMatchObject({
    url: "https://host.example:8443/x",
    credentials: { host: "host.example:8443", user: "token", password: "" },
  });
  expect(readCloneUrl("ssh://git:secret@host.example/x")).toEqual({
    kind: "ok",
    url: "ssh://git@host.example/x",
    credentials: null,
  });
  expect(readCloneUrl("https://me:a%0Ab@host.example/x")).toMatchObject({ kind: "refused" });
  expect(readCloneUrl("https://me:%E0%A4%A@host.example/x")).toMatchObject({ kind: "refused" });
});
