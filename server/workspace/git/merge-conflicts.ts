/**
 * What `git merge-tree -z --messages` says about a merge that is in conflict: which paths, and of what kind each is. The kind is
 * in the messages only; git asks nobody to guess it from the list of files.
 */

export interface FileConflict {
  readonly file: string;
  /** Said of one file or of several, behind their names. */
  readonly kind: string;
}

const SAME_LINES = "the same lines changed by both";
const ADDED = "added by both with different contents";
const OTHER = "changed by both in ways that do not fit together";

/** git's own stable words, by how they begin. A path can be in several conflicts: the first of these tells most about it. */
const KINDS: readonly (readonly [type: string, kind: string])[] = [
  ["CONFLICT (submodule", "a submodule, moved by both"],
  ["CONFLICT (distinct modes)", "of a different type in each"],
  ["CONFLICT (file/directory)", "a file in one, a folder in the other"],
  ["CONFLICT (rename/rename)", "renamed by both in different ways"],
  ["CONFLICT (rename/delete)", "renamed by one, deleted by the other"],
  ["CONFLICT (rename involved in collision)", "renamed by one to a name that the other has too"],
  ["CONFLICT (modify/delete)", "changed by one, deleted by the other"],
  ["CONFLICT (directory rename suggested)", "in a folder that one of them renamed"],
  ["CONFLICT (binary)", "binary, and changed by both"],
  ["CONFLICT (contents)", SAME_LINES],
];
/** Some of git's kinds are written without the space. */
const IS_CONFLICT = /^CONFLICT ?\(/;

/** `fields`: all that stands between the NULs after the tree. */
export function readConflicts(fields: readonly string[]): FileConflict[] {
  const end = fields.indexOf("");
  const isCut = end === -1;
  const stages = stagesOf(isCut ? fields : fields.slice(0, end));
  const found = new Map<string, number>();
  const told = new Set<string>();
  for (const { paths, type } of isCut ? [] : messagesOf(fields.slice(end + 1))) {
    if (!IS_CONFLICT.test(type)) continue;
    const rank = rankOf(type);
    const listed = paths.filter((path) => stages.has(path));
    for (const path of listed.length > 0 ? listed : paths.slice(0, 1)) {
      told.add(path);
      // What is in the way of another is put beside it as “name~commit”: nobody knows it by that name.
      const name = paths.find((other) => path.startsWith(`${other}~`)) ?? path;
      found.set(name, Math.min(rank, found.get(name) ?? rank));
    }
  }
  for (const path of stages.keys()) if (!told.has(path)) found.set(path, KINDS.length);
  return [...found].map(([file, rank]) => ({ file, kind: kindOf(rank, stages.get(file)) }));
}

/** Of every path in conflict: 1 is what both began with, 2 and 3 what each has. */
function stagesOf(lines: readonly string[]): Map<string, string> {
  const stages = new Map<string, string>();
  for (const line of lines) {
    const tab = line.indexOf("\t");
    const path = line.slice(tab + 1);
    stages.set(path, (stages.get(path) ?? "") + line.charAt(tab - 1));
  }
  return stages;
}

function* messagesOf(fields: readonly string[]): Generator<{ paths: readonly string[]; type: string }> {
  for (let at = 0; at < fields.length; ) {
    const count = Number(fields[at]);
    const type = fields[at + 1 + count];
    if (fields[at] === "" || type === undefined) return;
    yield { paths: fields.slice(at + 1, at + 1 + count), type };
    at += count + 3;
  }
}

function rankOf(type: string): number {
  const rank = KINDS.findIndex(([begin]) => type.startsWith(begin));
  return rank === -1 ? KINDS.length : rank;
}

/** git calls two new files under one name a conflict of contents. */
function kindOf(rank: number, stages = ""): string {
  const kind = KINDS[rank]?.[1] ?? OTHER;
  return kind === SAME_LINES && stages === "23" ? ADDED : kind;
}
