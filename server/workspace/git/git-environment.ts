/** The environment git is started with: an allow-list, never the server's own secrets; no question, no pager, no editor (R8). */

/** Passed on from the server's environment; everything else stays out (GIT_DIR and the like above all). */
// biome-ignore format: one glance
const PASSED_ON = [
  "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_CTYPE", "TMPDIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK",
  "GIT_SSH", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO",
  "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
] as const;

const ALWAYS_SET: Readonly<Record<string, string>> = {
  LC_MESSAGES: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
};

/** An allow-list of our own environment, what no call may be without, and what this call adds. */
export function gitEnvironment(added: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  // LC_ALL would beat LC_MESSAGES, and git's words are read here: it is passed on as the weaker LANG.
  const everything = process.env.LC_ALL;
  if (everything) {
    environment.LANG = everything;
    delete environment.LC_CTYPE;
  }
  return { ...environment, ...ALWAYS_SET, ...added };
}
