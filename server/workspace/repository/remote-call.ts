/** One question that git asks another machine: with which login, over what, and how long an answer is waited for. */
import type { GitCall } from "../git/git";
import type { GitLogin } from "./credentials";

/** Of addresses to clone: what git may speak. */
export const ALLOWED_PROTOCOLS = "https:http:ssh:file";

export interface RemoteQuestion {
  readonly at: string;
  readonly login: GitLogin;
  /** With `--progress` where git has it: what git tells is how it is known to get on. */
  readonly args: readonly string[];
  readonly limitMs: number;
  readonly silenceLimitMs: number;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export function remoteCall(question: RemoteQuestion): GitCall {
  const { at, login, args, limitMs, silenceLimitMs, signal, onProgress } = question;
  return {
    at,
    options: login.options,
    args,
    environment: { ...login.environment, ...question.environment, GIT_ALLOW_PROTOCOL: ALLOWED_PROTOCOLS },
    limitMs,
    silenceLimitMs,
    ...(login.handed === undefined ? {} : { handed: login.handed }),
    ...(onProgress ? { onStderrLine: onProgress } : {}),
    ...(signal ? { signal } : {}),
  };
}
