/**
 * What can go wrong when git is asked, and how it is told to people: one plain sentence, credentials masked.
 * Never shows a stack or git's whole output. `sentenceFor` tries the known causes first and falls back to git's last line.
 */

/** Why a call of git did not give an answer. */
export type GitProblemKind = "missing" | "failed" | "time-limit" | "output-limit";

export class GitProblem extends Error {
  override readonly name = "GitProblem";

  constructor(
    readonly kind: GitProblemKind,
    /** git's verb, such as "worktree". */
    readonly verb: string,
    /** Exit code; -1 when there was none. */
    readonly code: number,
    /** The end of git's stderr, credentials masked. */
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

interface Cause {
  readonly pattern: RegExp;
  readonly sentence: (match: RegExpExecArray) => string;
  /** Of a fetch: the other end said no, and will say so again until somebody does something. */
  readonly isLasting?: true;
}

/** A ref was to move from what it was, and somebody else was faster. */
const MOVED = /cannot lock ref '(?:refs\/heads\/)?([^']*)': (?:is at|reference already exists)/;

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
    pattern: /Unable to create '([^']+\.lock)'.*File exists/,
    sentence: (m) =>
      `Another git command holds ${m[1]}. If no git runs in this repository, remove that file, then try again.`,
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
    sentence: () => "The server refused the login. Check user name, token or SSH key of the repository's address.",
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

/** One plain sentence for any failure of git; other errors keep their message. */
export function sentenceFor(problem: unknown): string {
  if (!(problem instanceof GitProblem))
    return problem instanceof Error ? maskCredentials(problem.message) : "Unknown error.";
  if (problem.kind !== "failed") return problem.message;
  for (const { pattern, sentence } of CAUSES) {
    const match = pattern.exec(problem.stderr);
    if (match) return maskCredentials(sentence(match));
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

/** `https://user:token@host` becomes `https://***@host`, wherever it stands. */
export function maskCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]*(?:@[^\s/@'"]*)*@/gi, (whole, scheme: string) =>
    /^ssh:\/\/[^:@/]*@$/i.test(whole) ? whole : `${scheme}***@`,
  );
}
