/**
 * The environment agents get (A1): a list of what is passed on, not of what is held back, so a secret nobody thought of
 * stays behind. The host itself is started with the same list: it has nothing to give away.
 */
import { MARK_VARIABLE } from "./process-table";

type Environment = Record<string, string>;

const PASSED_ON = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TMPDIR", "TZ"];
const LOCALE = /^LC_[A-Z]+$/;
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** No pager and no password question may wait for a person who is not there (R8). */
const NEVER_ASK: Environment = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
};

export function allowedEnvironment(source: NodeJS.ProcessEnv): Environment {
  const allowed: Environment = { PATH: DEFAULT_PATH };
  for (const [name, value] of Object.entries(source)) {
    if (value && (PASSED_ON.includes(name) || LOCALE.test(name))) allowed[name] = value;
  }
  return allowed;
}

export function agentEnvironment(
  source: NodeJS.ProcessEnv,
  run: { readonly sessionId: string; readonly mark: string },
  variables: Readonly<Record<string, string>>,
): Environment {
  return {
    ...allowedEnvironment(source),
    ...NEVER_ASK,
    ...variables,
    CAMELOT_SESSION: run.sessionId,
    [MARK_VARIABLE]: run.mark,
  };
}
