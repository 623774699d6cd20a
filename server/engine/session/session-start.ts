/**
 * From a slot to a spawned host: read what the row points at, make the worktree, start the runner. Up to here nothing
 * of the agent has acted, so whatever goes wrong is told as `NotStarted` and may be tried again (R2).
 * Order not to break: the worktree is stored on the task before the host is started, so that it is found again.
 */
import type { CommandLine } from "../../core/agent/command";
import { commandLine, sandboxOf } from "../../core/agent/command-line";
import { formatOf, ownEnvironment, type Resume, variablesOf } from "../../core/agent/talking-agents";
import { maskText } from "../../core/text/masking";
import { reasonOf } from "../../core/text/reason";
import type { AttemptRef, Epoch } from "../../core/words";
import type { Machine, Runner, RunOrder } from "../../ports/runner";
import type { SessionFacts, SessionRecord } from "../../ports/session-record";
import type { Author, Workspace, Worktree } from "../../ports/workspace";

/** R7: time between SIGTERM and SIGKILL. */
export const TERM_GRACE_MS = 10_000;

/** Why no host was spawned, or spawned in vain: one plain sentence, and whether another attempt may do better. */
export interface NotStarted {
  readonly kind: "not-started";
  readonly sentence: string;
  readonly mayRetry: boolean;
}

export interface Spawned {
  readonly kind: "spawned";
  readonly facts: SessionFacts;
}

export interface StartParts {
  readonly runner: Pick<Runner, "start">;
  readonly workspace: Pick<Workspace, "prepare">;
  readonly record: Pick<SessionRecord, "storeWorktree">;
  readonly machine: Pick<Machine, "variables">;
  readonly termGraceMs: number;
}

export async function startAgent(
  parts: StartParts,
  run: AttemptRef,
  epoch: Epoch,
  facts: SessionFacts,
  signal: AbortSignal,
): Promise<Spawned | NotStarted> {
  try {
    if (facts.variables.lost.length > 0) return notStarted(lostSentence(facts.variables.lost), false);
    const command = commandLine(facts.agent, promptOf(facts), resumeOf(facts));
    if (command.kind === "refused") return notStarted(command.sentence, false);
    const worktree = await parts.workspace.prepare(worktreeRequest(facts), signal);
    if (worktree.kind === "refused") return notStarted(worktree.message, false);
    signal.throwIfAborted();
    await parts.record.storeWorktree(facts.taskId, {
      path: worktree.path,
      branch: worktree.branch,
      baseCommit: worktree.baseCommit,
    });
    signal.throwIfAborted();
    await parts.runner.start(orderFor(parts, run, epoch, facts, worktree, command));
    return {
      kind: "spawned",
      facts: { ...facts, branch: worktree.branch, worktree: worktree.path, baseCommit: worktree.baseCommit },
    };
  } catch (error) {
    return notStarted(maskText(reasonOf(error), facts.variables.secrets), true);
  }
}

function notStarted(sentence: string, mayRetry: boolean): NotStarted {
  return { kind: "not-started", sentence, mayRetry };
}

/** Never started without them: an agent that lacks a secret may do something else instead, and costs money. */
function lostSentence(names: readonly string[]): string {
  const [which, them] = names.length === 1 ? ["The secret", "it"] : ["The secrets", "them"];
  return `${which} ${names.join(", ")} cannot be read any more, because the installation's own secret is another one now: enter ${them} again in the project's settings.`;
}

/** A command may live on its title alone; a shell task without a prompt is an empty script, its title is no script. */
function promptOf(facts: SessionFacts): string {
  const { message, prompt, title, agent, earlier } = facts;
  if (message === null) return prompt === "" && agent.kind !== "shell" ? title : prompt;
  const isConversing = formatOf(agent.kind) !== "text";
  return isConversing && earlier === null ? freshPrompt(facts) : message;
}

/** Only a message goes on with a conversation; the task's own prompt begins a new one (A5). */
function resumeOf(facts: SessionFacts): Resume | null {
  const { message, earlier } = facts;
  if (message === null || earlier === null) return null;
  return { conversation: earlier.conversation, otherwise: freshPrompt(facts) };
}

/** A follow-up for an agent that does not know what it is about. */
function freshPrompt({ message, prompt, title }: SessionFacts): string {
  const task = prompt === "" ? title : prompt;
  return `${task}\n\nWork on this has begun: what was done so far is in this folder. Now:\n\n${message ?? ""}`;
}

function worktreeRequest(facts: SessionFacts) {
  const { projectId, repository, baseBranch, taskId, number, title, branch } = facts;
  return { projectId, repository, baseBranch, taskId, number, title, branch };
}

function orderFor(
  { termGraceMs, machine }: StartParts,
  run: AttemptRef,
  epoch: Epoch,
  facts: SessionFacts,
  worktree: Worktree,
  command: CommandLine,
): RunOrder {
  const passedOn = machine.variables(variablesOf(facts.agent.settings));
  return {
    sessionId: run.sessionId,
    attempt: run.attempt,
    epoch,
    command: {
      argv: command.argv,
      stdin: command.stdin,
      files: command.files ?? {},
      ...(command.talk ? { talk: command.talk } : {}),
    },
    setupScript: setupOf(facts.setupScript, worktree.stale),
    cwd: worktree.path,
    environment: {
      ...commitsAs(worktree.author),
      ...ownEnvironment(facts.agent.kind),
      ...passedOn,
      ...facts.variables.environment,
      CAMELOT_TASK_NUMBER: String(facts.number),
      CAMELOT_TASK_TITLE: facts.title,
      CAMELOT_BRANCH: worktree.branch,
      CAMELOT_BASE_BRANCH: facts.baseBranch,
    },
    secrets: [...facts.variables.secrets, ...secretsIn(passedOn)],
    limits: { longestRunMs: facts.longestRunMs, termGraceMs },
    sandbox: sandboxOf(facts.agent.settings),
  };
}

/** What people have to know before they read what the agent did stands first in its output. */
function setupOf(script: string | null, stale: string | undefined): string | null {
  if (stale === undefined) return script;
  return `printf '%s\\n' '${stale.replaceAll("'", "'\\''")}'\n${script ?? ""}`;
}

function commitsAs(author: Author | undefined): Readonly<Record<string, string>> {
  if (author === undefined) return {};
  const { name, email } = author;
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

/** Logins that the agent gets from the server's own environment are masked like the project's secrets (A3). */
function secretsIn(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .filter(([name]) => SECRET_NAME.test(name))
    .map(([, value]) => value);
}

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)/;
