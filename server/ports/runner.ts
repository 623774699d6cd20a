/**
 * What the engine needs from a machine that runs agents. A runner kind (process, container, cluster job) is one
 * implementation; all pass `server/testing/runner.suite.ts`. The runner's name *is* (session, attempt):
 * starting the same pair twice starts one agent (R2).
 */
import type { Talk } from "../core/agent/command";
import type { Question } from "../core/session/question";
import type { AttemptRef, Epoch } from "../core/words";

/** How the agent is started. Nothing in it is ever parsed by a shell. */
export interface AgentCommand {
  /** Program and arguments, passed to the system as they are. */
  readonly argv: readonly string[];
  /** What the agent reads on stdin before it is closed (R8); null closes it at once. UTF-8, no size limit but the prompt's. */
  readonly stdin: string | null;
  /** For an agent with a protocol: `stdin` is then its first prompt, and more is said to it while it runs. */
  readonly talk?: AgentTalk;
  /** Files the host writes into the run folder first (0600); `{{runFolder}}` in argv is replaced by its path. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * How the host speaks with an agent, by a protocol; the settings are in the agent's own words. `resume`: its own id of the
 * conversation to go on with (A5), null: a new one. `otherwise`: the prompt of a new one, when that is not there any more.
 */
export type AgentTalk = Talk;

export interface RunnerLimits {
  /** Longest run in ms; suspended time does not count (R9). */
  readonly longestRunMs: number;
  /** Polite stop by signal: ms between SIGTERM and SIGKILL (R7). */
  readonly termGraceMs: number;
  /** How long an agent with a protocol may take until it speaks it, ms; absent: as long as the host allows. */
  readonly handshakeMs?: number;
  /** How long an agent with a protocol may say nothing while it waits for what it started in the background, ms; absent: as above. */
  readonly backgroundMs?: number;
}

export interface RunOrder extends AttemptRef {
  /** The writer's term that granted the slot; carried for fencing and diagnosis. */
  readonly epoch: Epoch;
  readonly command: AgentCommand;
  /** Optional script run by bash in the worktree before the agent; its output precedes the agent's. */
  readonly setupScript?: string | null;
  /** Absolute path of the worktree: the agent's working directory. */
  readonly cwd: string;
  /** Variables beside the allow-listed ones (A1). */
  readonly environment: Readonly<Record<string, string>>;
  /** Values masked in output before it is stored (A3). */
  readonly secrets: readonly string[];
  readonly limits: RunnerLimits;
  /** What the agent is locked up in, and its setup script with it; `bubblewrap` also ends its tree by itself (R7). */
  readonly sandbox: "none" | "bubblewrap";
}

/** What this machine can do beside starting agents; shown on the agents page. */
export interface MachineFacts {
  /** How trees end that are in no sandbox: in one step, or by looking for what belongs to them (R7). */
  readonly treeEnding: "cgroup" | "scan";
  /** Null: bubblewrap works here. Otherwise one sentence saying why not. */
  readonly sandboxProblem: string | null;
}

/** Of one program, as far as it is known. */
export interface ProgramVersion {
  /** In the form 1.2.3; null: it is not there, says none, or has not said it yet. */
  readonly version: string | null;
  /** It is being asked right now: whoever looks again in a moment may see another one. */
  readonly isAsked: boolean;
}

/** `facts` are found out once and hold for as long as this process lives. */
export interface Machine {
  /** The server's own variables of these names; those it does not have are left out. */
  variables(names: readonly string[]): Readonly<Record<string, string>>;
  /** What a program said of its version last. Answers at once; where that was long ago, or never, asks the program beside it. */
  version(program: string): ProgramVersion;
  facts(): Promise<MachineFacts>;
}

/** How the agent ended, written by the host after the last byte of output (R6). */
export interface Ending {
  readonly cause: "exited" | "stopped" | "timed-out" | "could-not-start" | "disk-full" | "no-answer";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** When the agent itself ended, ms since 1970 (R10). */
  readonly endedAt: number;
  /** Offset behind the last byte of output. */
  readonly outputBytes: number;
  /** For `could-not-start`: one plain sentence. For a result of `error`: the agent's own words. */
  readonly message?: string;
  /** What an agent with a protocol reported; `none`: it ended before it said how. Absent: it has no protocol. */
  readonly result?: "success" | "error" | "none";
  /** It had reported its result and did not leave by itself: it was ended, so its exit code says nothing. */
  readonly lingered?: true;
  /** For `timed-out`: how long it had said nothing when its time was over, ms; absent: a host of an earlier release. */
  readonly quietMs?: number;
  /** For `stopped`: by whoever runs the server, with `npm run stop-agents` or a second Ctrl-C. */
  readonly stoppedBy?: "operator";
}

/** What a look at an attempt's runner finds (R3). */
export type Probe =
  /** The host lives. `agentPid` is null until the agent was started; `isUp`: it works, and has taken up its protocol if it has one; `question`: what it waits for an answer to (R12). */
  | {
      readonly kind: "present";
      readonly hostPid: number;
      readonly agentPid: number | null;
      readonly isUp: boolean;
      readonly question: Question | null;
    }
  | { readonly kind: "exited"; readonly ending: Ending }
  /** No claim was made yet: nothing has acted; the attempt may be given up or its host may still come. */
  | { readonly kind: "unclaimed"; readonly hostPid: number | null }
  /** The host is gone without an ending, nothing of it is alive. */
  | { readonly kind: "gone" }
  /** The host is gone but processes with the run mark are alive: end the tree first. */
  | { readonly kind: "orphaned"; readonly pids: readonly number[] }
  /** Could not be found out (engine unreachable, disk error): wait, keep the slot. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface OutputChunk {
  readonly bytes: Uint8Array;
  /** The offset behind these bytes; ask for it next. */
  readonly next: number;
  /** True when the agent is over and nothing follows `next`. */
  readonly complete: boolean;
}

/** How much output there is at this moment. */
export interface OutputExtent {
  /** Offset behind the last byte that can be read now. */
  readonly end: number;
  /** Bytes [from, to) are not kept (R6); null: all of them are. */
  readonly hole: { readonly from: number; readonly to: number } | null;
  /** When something was said last: signs of life that say nothing (R9) leave it as it was. Ms since 1970; null: nothing is stored. */
  readonly lastAt: number | null;
}

/** What people say to an agent while it runs (R12). */
export type AgentOrder =
  /** `key`: of messages with one key the agent reads one, however often and by whomever it is told. */
  | { readonly kind: "message"; readonly text: string; readonly key?: string }
  | { readonly kind: "answer"; readonly questionId: string; readonly option: string };

export type Told =
  /** It lies ready for the host, once. */
  | "told"
  /** Somebody else's answer to the same question was first. */
  | "answered-before"
  /** A message with this key said something else. */
  | "key-reused"
  /** The agent reads its prompt and nothing after it. */
  | "cannot"
  /** There is no host that would read it. */
  | "over";

/** Why an agent is stopped, other than by a cancel that stands in the session's row. */
export type StopReason = "no-answer" | "operator";

export interface Runner {
  /**
   * Starts the host for an attempt; returns once the host was spawned (not once the agent is up). Idempotent by (session,
   * attempt). Throws when the host cannot be spawned at all.
   */
  start(order: RunOrder): Promise<void>;
  probe(run: AttemptRef): Promise<Probe>;
  /**
   * Calls back whenever the attempt's picture changed (claimed, output grew, ended): a hint to look, never the truth.
   * Returns the function that ends the watching.
   */
  watch(run: AttemptRef, changed: () => void): () => void;
  /**
   * Asks the host to stop its agent, polite to forced (R7). Harmless twice, harmless when it is over. `because` goes into the
   * ending, so that it is known whoever finds it.
   */
  stop(run: AttemptRef, because?: StopReason): Promise<void>;
  tell(run: AttemptRef, order: AgentOrder): Promise<Told>;
  /** Claims the attempt for the server (R2). True: the host will never start an agent. False: the host was first. */
  giveUp(run: AttemptRef): Promise<boolean>;
  /** Ends every process that carries the attempt's run mark; resolves when two scans are empty. */
  endTree(run: AttemptRef): Promise<void>;
  /** Attempts that have a run folder or a process here, live or ended. */
  list(): Promise<AttemptRef[]>;
  /** Bytes [offset, offset+limit) of the attempt's output; past the end: empty. See R6 for the hole. */
  read(run: AttemptRef, offset: number, limit: number): Promise<OutputChunk>;
  /** Without reading any of it; of an attempt that left nothing: zero bytes. */
  extent(run: AttemptRef): Promise<OutputExtent>;
  /** Removes the attempt's files. Refuses (throws) while it is present. */
  forget(run: AttemptRef): Promise<void>;
}
