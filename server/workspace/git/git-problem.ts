/**
 * What can go wrong when git is asked, and how it is told to people: one plain sentence, credentials masked.
 * Never shows a stack or git's whole output. `sentenceFor` tries the known causes first and falls back to git's last line.
 */

import { withoutEscapes } from "../../core/agent/escapes";
import { stoppedAfter } from "../../core/text/time-limit";

/** Why a call of git did not give an answer. */
export type GitProblemKind = "missing" | "failed" | LimitKind;
/** It was stopped by us. */
export type LimitKind = "time-limit" | "silent" | "output-limit";

export class GitProblem extends Error {
  override readonly name = "GitProblem";

  constructor(
    readonly kind: GitProblemKind,
    /** git's verb, such as "worktree". */
    readonly verb: string,
    /** Exit code; -1 when there was none. */
    readonly code: number,
    /** The end of git's stderr, as `wordsOf` has it. */
    readonly stderr: string,
    message: string,
  ) {
    super(message);
  }
}

/** A refusal that is thrown because the port has no other way to tell it: the message is for people. */
export class WorkspaceProblem extends Error {
  override readonly name = "WorkspaceProblem";
}

export const GIT_MISSING_SENTENCE =
  "git is not installed, or not on the server's PATH. Install git 2.38 or newer, then try again.";

/** `limit`: in ms, for the output in bytes. */
export function limitProblem(kind: LimitKind, limit: number, verb: string, stderr: string): GitProblem {
  return new GitProblem(kind, verb, -1, wordsOf(stderr), limitSentence(kind, limit, verb));
}

function limitSentence(kind: LimitKind, limit: number, verb: string): string {
  switch (kind) {
    case "time-limit":
      return stoppedAfter(`git ${verb}`, limit);
    // The other end was reached, perhaps, and says nothing.
    case "silent":
      return `The repository's server did not answer for ${Math.round(limit / 1_000)} s, so this was given up. Check the address and the network, then try again.`;
    case "output-limit":
      return `git ${verb} answered more than ${limit / 1024 / 1024} MB and was stopped.`;
    default:
      return kind satisfies never;
  }
}

interface Cause {
  readonly pattern: RegExp;
  readonly sentence: (match: RegExpExecArray) => string;
  /** Of a fetch: the other end said no, and will say so again until somebody does something. */
  readonly isLasting?: true;
}

/** A ref was to move from what it was, and somebody else was faster. */
const MOVED = /cannot lock ref '(?:refs\/heads\/)?([^']*)': (?:is at|reference already exists)/;

/** Somebody else's git holds a lock, or left it. */
const LOCKED = /Unable to create '([^']+\.lock)'.*File exists/;

const CAUSES: readonly Cause[] = [
  {
    pattern: MOVED,
    sentence: (m) => `Somebody else moved ${m[1]} in this moment. Try again.`,
  },
  {
    pattern: /detected dubious ownership in repository at '([^']*)'/,
    sentence: (m) =>
      `Git refuses to work in ${m[1]} because it belongs to another user of this machine. ` +
      `Run "git config --global --add safe.directory '${m[1]}'" as the user that runs Camelot, then try again.`,
  },
  {
    pattern: /No space left on device|Disk quota exceeded/i,
    sentence: () => "The disk is full. Free some space, then try again.",
  },
  { pattern: /Read-only file system/i, sentence: () => "The repository lies on a read-only file system." },
  {
    pattern: LOCKED,
    sentence: (m) => lockHeld(m[1] ?? "a lock"),
  },
  {
    pattern: /(?:^|\s)git-lfs: (?:command )?not found/m,
    sentence: () =>
      "The repository keeps files in Git LFS, and git-lfs is not installed, or not on the server's PATH. Install it, then try again.",
  },
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    sentence: () =>
      'The repository\'s server shows another SSH host key than before. If its new key is right, remove the old one with "ssh-keygen -R <host>" ' +
      "as the user that runs Camelot, connect once with ssh, then try again.",
    isLasting: true,
  },
  {
    pattern: /Host key verification failed/,
    sentence: () =>
      "The SSH host key of the repository's server is not known to the user that runs Camelot. Connect once with ssh, then try again.",
    isLasting: true,
  },
  {
    pattern: /Permission denied \([^)]*publickey|Too many authentication failures/,
    sentence: () =>
      "The repository's server did not accept an SSH key of the user that runs Camelot. Add that user's public key there, then try again.",
    isLasting: true,
  },
  {
    pattern:
      /Authentication failed|could not read (?:Username|Password)|Permission denied \(|HTTP Basic: Access denied|error: 40[13]\b/,
    sentence: () =>
      "The server refused the login. Give user name and token in the repository's address, as in https://user:token@host/…; " +
      "with ssh, check the key of the user that runs Camelot.",
    isLasting: true,
  },
  {
    pattern:
      /[Rr]epository '?[^'\n]*'? ?(?:not found|does not exist)|ERROR: The project you were looking for could not be found|does not appear to be a git repository|error: 404\b/,
    sentence: () => "There is no git repository at this address, or this login may not see it.",
    isLasting: true,
  },
  {
    pattern: /couldn't find remote ref (?:refs\/heads\/)?(\S+)/,
    sentence: (m) => `There is no branch “${m[1]}” at this address.`,
  },
  {
    pattern: /Could not resolve host(?:name)?:? ?([^\s:;]*)/,
    sentence: (m) => `The host ${m[1] || "in this address"} cannot be found. Check the address and the network.`,
  },
  {
    pattern:
      /Connection (?:refused|timed out|reset|closed)|Operation timed out|Failed to connect|Network is unreachable|No route to host/i,
    sentence: () => "The repository's server cannot be reached. Check the address and the network.",
  },
  {
    pattern: /SSL certificate|server certificate/i,
    sentence: () => "The certificate of the repository's server is not trusted.",
    isLasting: true,
  },
  {
    pattern: /transport '([^']+)' not allowed/,
    sentence: (m) => `The address uses "${m[1]}", which is not allowed here. Use https, http, ssh or a path.`,
    isLasting: true,
  },
  {
    pattern: /cannot run ssh\b|\bssh: (?:command )?not found/,
    sentence: () => "ssh is not installed, or not on the server's PATH. Install it, or give an https address.",
  },
  {
    pattern: /Could not read from remote repository/,
    sentence: () =>
      'The repository could not be read at this address. Run "git ls-remote" with it as the user that runs Camelot: that says why.',
  },
  {
    pattern: /Permission denied/,
    sentence: () => "The user that runs Camelot may not read or write a file of this repository.",
  },
  { pattern: /not a git repository/, sentence: () => "This is not a git repository (any more)." },
];

/** The lock of somebody else that git was refused for; null: it failed for another reason. */
export function lockInTheWay(problem: unknown): string | null {
  return problem instanceof GitProblem ? (LOCKED.exec(problem.stderr)?.[1] ?? null) : null;
}

/** About a lock that is not ours: we leave it alone, so that what it says stays true. */
export function lockHeld(lock: string): string {
  return `Another git command holds ${lock}. If no git runs in this repository, remove that file, then try again.`;
}

/** One plain sentence for any failure of git; other errors keep their message. */
export function sentenceFor(problem: unknown): string {
  if (!(problem instanceof GitProblem))
    return problem instanceof Error ? maskCredentials(problem.message) : "Unknown error.";
  if (problem.kind !== "failed") return problem.message;
  const said = maskCredentials(problem.stderr);
  for (const { pattern, sentence } of CAUSES) {
    const match = pattern.exec(said);
    if (match) return sentence(match);
  }
  return problem.message;
}

/** Whether a fetch would fail again until somebody does something; a network that is away is no such thing. */
export function isLasting(problem: unknown): boolean {
  if (!(problem instanceof GitProblem)) return problem instanceof WorkspaceProblem;
  return CAUSES.find(({ pattern }) => pattern.test(problem.stderr))?.isLasting ?? false;
}

/** Somebody else moved the ref in between: what was read before may be tried again. */
export function wasMoved(problem: unknown): boolean {
  return problem instanceof GitProblem && MOVED.test(problem.stderr);
}

/** git's own last telling line: the `fatal:` one if there is one. */
export function lastWords(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const telling = lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? "";
  return telling.replace(/^(fatal|error): /, "").slice(0, 300);
}

/** What git, a hook or a remote wrote to a terminal, as words: without colours, credentials masked. */
export function wordsOf(stderr: string): string {
  return maskCredentials(withoutEscapes(stderr));
}

/** `https://user:token@host` becomes `https://***@host`, wherever it stands. */
export function maskCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/gi, (whole, scheme: string) =>
    /^ssh:\/\/[^:@/]*@$/i.test(whole) ? whole : `${scheme}***@`,
  );
}
