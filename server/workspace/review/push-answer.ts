/** What a remote's no means, in one plain sentence, from what `git push --porcelain` said. Pure. */

import { withoutEscapes } from "../../core/agent/escapes";

/** Of a hook's own words. */
const QUOTED_CHARS = 300;
const REMOTE = "remote: ";

export interface PushWords {
  /** Lines `flag TAB from:to TAB summary (reason)`. */
  readonly stdout: string;
  readonly stderr: string;
  readonly branch: string;
  readonly remote: string;
}

export interface PushAnswer {
  readonly sentence: string;
  /** The remote has commits that are not here. */
  readonly isBehind: boolean;
  /** Another push moved the branch, or was about to, while the remote looked at this one: whoever asks again learns what is so. */
  readonly isRaced: boolean;
}

/** Null: it did not come so far that the remote said no. */
export function pushAnswer({ stdout, stderr, branch, remote }: PushWords): PushAnswer | null {
  const rejected = stdout.split("\n").find((line) => line.startsWith("!\t"));
  if (rejected === undefined) return ownHook(stderr);
  const summary = withoutEscapes(rejected.split("\t").slice(2).join(" "));
  if (/non-fast-forward|fetch first|needs force|stale info|remote ref updated/.test(summary)) {
    const sentence = `${branch} has commits at ${remote} that are not here. Nothing was overwritten: bring them in first, then push again.`;
    return { ...no(sentence), isBehind: true };
  }
  if (/currently checked out/.test(summary)) {
    return no(`${branch} is checked out in the repository at ${remote}, which does not let anybody push to it.`);
  }
  const words = quote(linesOf(stderr).flatMap((line) => (line.startsWith(REMOTE) ? line.slice(REMOTE.length) : [])));
  const quoted = words === "" ? "" : ` It says: “${words}”`;
  if (/protected branch|hook declined|prohibited|not allowed|denied/i.test(`${summary} ${stderr}`)) {
    return no(`${remote} does not take ${branch}: the branch is protected, or a hook there said no.${quoted}`);
  }
  const reason = /\((.*)\)\s*$/.exec(summary)?.[1] ?? summary.trim();
  return {
    ...no(`${remote} did not take ${branch}: ${reason}.${quoted}`),
    isRaced: /failed to update ref/.test(reason),
  };
}

function no(sentence: string): PushAnswer {
  return { sentence, isBehind: false, isRaced: false };
}

/** git gave up before it asked the remote for anything. */
function ownHook(stderr: string): PushAnswer | null {
  if (!/^error: failed to push some refs/m.test(stderr)) return null;
  const words = quote(linesOf(stderr).filter((line) => !/^(error: failed to push|hint: )/.test(line)));
  return no(`The repository's own pre-push hook said no${words === "" ? "." : `: “${words}”`}`);
}

function linesOf(text: string): string[] {
  return text.split(/[\r\n]+/);
}

/** On one line, without git's own word about a hook. */
function quote(lines: readonly string[]): string {
  const said = lines
    .filter((line) => !line.startsWith("error: hook declined"))
    .map((line) => line.replace(/\p{Cc}/gu, " ").trim())
    .filter(Boolean)
    .join(" ");
  return said.length <= QUOTED_CHARS ? said : `${said.slice(0, QUOTED_CHARS)}…`;
}
