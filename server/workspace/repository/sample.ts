/**
 * A small repository to try Camelot on: a shell script with a test and a README that suggests first tasks. Needs nothing but sh.
 * Made beside its place and renamed in last; a sample that is there is kept as it is.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ProjectId } from "../../core/words";
import type { WorkspaceContext } from "../context";
import { git, WRITE_LIMIT_MS } from "../git/git";
import { sentenceFor, WorkspaceProblem } from "../git/git-problem";
import { exists } from "../places";

const README = `# Round Table

A tiny guest list for a round table, in plain sh. It exists so that you can try things on it.

    ./seat.sh Arthur Guinevere Lancelot
    ./test.sh

## Ideas for a first task

- Greet every guest by name.
- Refuse a guest who comes twice.
- Add a \`--count\` option that prints how many are seated.
`;

const SEAT = `#!/bin/sh
# Prints who sits where. Usage: ./seat.sh NAME...
set -eu
. "$(dirname "$0")/lib/names.sh"

seat=0
for guest in "$@"; do
  seat=$((seat + 1))
  printf 'Seat %d: %s\\n' "$seat" "$(tidy_name "$guest")"
done
`;

const NAMES = `# Helpers for names; read by seat.sh.

# A name without blanks around it.
tidy_name() {
  printf '%s' "$1" | sed -e 's/^ *//' -e 's/ *$//'
}
`;

const TEST = `#!/bin/sh
# Runs every check and says how many passed. Usage: ./test.sh
set -u
cd "$(dirname "$0")" || exit 1
passed=0
failed=0

check() { # name, expected, actual
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'not ok: %s\\n  expected: %s\\n  actual:   %s\\n' "$1" "$2" "$3"
  fi
}

check "one guest" "Seat 1: Arthur" "$(./seat.sh Arthur)"
check "blanks are cut" "Seat 1: Kay" "$(./seat.sh '  Kay ')"
check "nobody" "" "$(./seat.sh)"

printf '%d passed, %d failed\\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
`;

const FILES: readonly { readonly path: string; readonly text: string; readonly mode: number }[] = [
  { path: "README.md", text: README, mode: 0o644 },
  { path: "seat.sh", text: SEAT, mode: 0o755 },
  { path: "lib/names.sh", text: NAMES, mode: 0o644 },
  { path: "test.sh", text: TEST, mode: 0o755 },
];

export async function makeSampleRepository(context: WorkspaceContext, project: ProjectId): Promise<string> {
  const path = context.places.sample(project);
  const part = `${path}.part-${randomUUID()}`;
  try {
    return await context.turns.inProcess(`sample:${path}`, async () => {
      if (await exists(path)) return path;
      await fill(part, context);
      await rename(part, path);
      return path;
    });
  } catch (error) {
    throw new WorkspaceProblem(`The sample repository could not be made. ${sentenceFor(error)}`, { cause: error });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

async function fill(folder: string, context: WorkspaceContext): Promise<void> {
  for (const file of FILES) {
    await mkdir(dirname(join(folder, file.path)), { recursive: true });
    await writeFile(join(folder, file.path), file.text, { mode: file.mode });
  }
  const { name, email } = context.author;
  const person = ["-c", `user.name=${name}`, "-c", `user.email=${email}`, "-c", "commit.gpgSign=false"];
  const options = ["-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", ...person];
  const limitMs = WRITE_LIMIT_MS;
  await git({ at: folder, args: ["init", "--quiet", "--initial-branch=main"], limitMs });
  await git({ at: folder, options, args: ["add", "--all"], limitMs });
  await git({
    at: folder,
    options,
    args: ["commit", "--quiet", "--no-verify", "-m", "A table and a few seats"],
    limitMs,
  });
}
