/** What a remote's no means, in one plain sentence, from what `git push --porcelain` said. Pure. */

/** Of a hook's own words. */
const QUOTED_CHARS = 300;

export interface PushWords {
  /** Lines `flag TAB from:to TAB summary (reason)`. */
  readonly stdout: string;
  readonly stderr: string;
  readonly branch: string;
  readonly remote: string;
}

/** Null: it did not come so far that the remote said no. */
export function pushSentence({ stdout, stderr, branch, remote }: PushWords): string | null {
  const rejected = stdout.split("\n").find((line) => line.startsWith("!\t"));
  if (rejected === undefined) return null;
  const summary = rejected.split("\t").slice(2).join(" ");
  if (/non-fast-forward|fetch first|needs force|stale info|remote ref updated/.test(summary)) {
    return `${branch} has commits at ${remote} that are not here. Nothing was overwritten: bring them in first, then push again.`;
  }
  if (/currently checked out/.test(summary)) {
    return `${branch} is checked out in the repository at ${remote}, which does not let anybody push to it.`;
  }
  const words = remoteWords(stderr);
  const quoted = words === "" ? "" : ` It says: “${words}”`;
  if (/protected branch|hook declined|prohibited|not allowed|denied/i.test(`${summary} ${stderr}`)) {
    return `${remote} does not take ${branch}: the branch is protected, or a hook there said no.${quoted}`;
  }
  const reason = /\((.*)\)\s*$/.exec(summary)?.[1] ?? summary.trim();
  return `${remote} did not take ${branch}: ${reason}.${quoted}`;
}

/** What the other end printed, on one line. */
function remoteWords(stderr: string): string {
  const said = stderr
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith("remote: "))
    .map((line) =>
      line
        .slice("remote: ".length)
        .replace(/\p{Cc}/gu, " ")
        .trim(),
    )
    .filter(Boolean)
    .join(" ");
  return said.length <= QUOTED_CHARS ? said : `${said.slice(0, QUOTED_CHARS)}…`;
}
