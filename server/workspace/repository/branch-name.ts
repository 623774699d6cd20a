/**
 * The names of a task's branch and folder. Pure: decides, never asks git. ASCII only and short, so a name works in every
 * shell, file system and tool, whatever script the title is in; nothing is transliterated (a title without Latin
 * letters or digits becomes "task").
 */

const SLUG_LIMIT_CHARS = 36;

/** Used in this order; the next one when a branch of just this name exists, so that git cannot make branches below it. */
export const BRANCH_PREFIXES = ["camelot", "camelot-work", "camelot-tasks"] as const;

/** `12-fix-the-login` */
export function folderName(number: number, title: string): string {
  return `${number}-${slugOf(title)}`;
}

/** The first free branch name. `taken`: every branch name in use, local or on a remote, in any case. */
export function freeBranchName(number: number, title: string, taken: readonly string[]): string {
  const used = taken.map((name) => name.toLowerCase());
  const prefix = BRANCH_PREFIXES.find((candidate) => !used.includes(candidate)) ?? `camelot-${number}-tasks`;
  const wanted = `${prefix}/${folderName(number, title)}`;
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!used.some((other) => other === name || other.startsWith(`${name}/`))) return name;
  }
}

function slugOf(title: string): string {
  const ascii = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "") // é, composed or not, is e with a mark
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  const short = ascii.replace(/^-+/, "").slice(0, SLUG_LIMIT_CHARS).replace(/-+$/, "");
  return short === "" ? "task" : short;
}
