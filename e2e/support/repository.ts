/** Real repositories for stories, made with git itself. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export function makeRepository(parent: string, name = "shop"): string {
  const folder = path.join(parent, "repositories", name);
  fs.mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  fs.writeFileSync(path.join(folder, "README.md"), "# Shop\n");
  git(folder, "add", "-A");
  git(folder, "-c", "user.name=Nora", "-c", "user.email=nora@example.test", "commit", "-qm", "Begin");
  return folder;
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
}
