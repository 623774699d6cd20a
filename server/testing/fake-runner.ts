/**
 * A runner without processes: the whole machine is a map in memory. Passes `runner.suite.ts` like the real ones, and lets
 * a test decide what agents do: print, end, lose their host, vanish, not come up.
 *
 * An order whose argv is `["script", <JSON of AgentStep[]>]` plays that script; any other agent runs until it is told to end.
 */
import type { Question } from "../core/session/question";
import type { AttemptRef } from "../core/words";
import type { AgentOrder, Ending, Probe, Runner, RunOrder } from "../ports/runner";
import type { AgentStep } from "./agent-steps";
import { type FakeRun, isSameOrder, makeRun, nameOf, pictureOf, readFrom, tell } from "./fake-run";

export interface FakeRunner extends Runner {
  /** The orders whose agent was really started, in that order: what may have acted. */
  readonly started: readonly RunOrder[];
  /** While true, hosts are spawned but do not claim. Setting it to false lets those that wait claim. */
  holdHosts: boolean;
  print(run: AttemptRef, output: string | Uint8Array): void;
  /** The agent ends; without details: exit code 0. */
  end(run: AttemptRef, ending?: Partial<Ending>): void;
  /** SIGKILL to the host: the agent goes on (probe: orphaned). */
  killHost(run: AttemptRef): void;
  /** The agent asks, or (null) asks nothing any more. */
  ask(run: AttemptRef, question: Question | null): void;
  /** What the agent was told, in that order. */
  told(run: AttemptRef): readonly AgentOrder[];
  /** Host and agent are gone without an ending, as after a reboot. */
  vanish(run: AttemptRef): void;
  /** What `probe` answers instead of the truth, e.g. unknown; null is the truth again. */
  pretend(run: AttemptRef, probe: Probe | null): void;
}

export interface FakeRunnerOptions {
  /** For `endedAt`. */
  readonly now?: () => number;
  /** False: `stop` is noted, but the agent goes on until the test ends it. */
  readonly obeysStop?: boolean;
  /** False: its agents read their prompt and nothing after it, as those of the plain driver. */
  readonly canBeTold?: boolean;
}

export function createFakeRunner(options: FakeRunnerOptions = {}): FakeRunner {
  const now = options.now ?? Date.now;
  const runs = new Map<string, FakeRun>();
  const started: RunOrder[] = [];
  let isHolding = false;
  let nextPid = 1_000_000;

  const find = (ref: AttemptRef) => runs.get(nameOf(ref));
  const findOrMake = (ref: AttemptRef) => {
    const run = find(ref) ?? makeRun(ref);
    runs.set(nameOf(ref), run);
    return run;
  };
  const need = (ref: AttemptRef) => {
    const run = find(ref);
    if (!run) throw new Error(`no run ${nameOf(ref)}`);
    return run;
  };

  const claim = (run: FakeRun) => {
    if (run.life !== "unclaimed" || !run.order) return;
    if (run.isStopAsked) return end(run, { cause: "stopped", exitCode: null });
    run.life = "present";
    started.push(run.order);
    tell(run);
    void play(run, scriptOf(run.order), { print, end });
  };
  const print = (run: FakeRun, output: string | Uint8Array) => {
    if (run.life !== "present") return;
    const bytes = typeof output === "string" ? new TextEncoder().encode(output) : output;
    run.output = Buffer.concat([run.output, bytes]);
    run.printedAt = now();
    tell(run);
  };
  const end = (run: FakeRun, ending: Partial<Ending>) => {
    if (run.life !== "present" && run.life !== "unclaimed") return;
    run.life = "exited";
    const outputBytes = run.output.length;
    run.ending = { cause: "exited", exitCode: 0, signal: null, endedAt: now(), outputBytes, ...ending };
    tell(run);
  };

  return {
    started,
    get holdHosts() {
      return isHolding;
    },
    set holdHosts(hold) {
      isHolding = hold;
      if (!hold) for (const run of runs.values()) claim(run);
    },
    print: (ref, output) => print(need(ref), output),
    end: (ref, ending) => end(need(ref), ending ?? {}),
    killHost(ref) {
      const run = need(ref);
      if (run.life === "present") run.life = "orphaned";
      tell(run);
    },
    ask(ref, question) {
      const run = need(ref);
      run.question = question;
      tell(run);
    },
    told: (ref) => need(ref).told,
    vanish(ref) {
      const run = need(ref);
      run.life = "gone";
      tell(run);
    },
    pretend(ref, probe) {
      findOrMake(ref).pretended = probe;
    },

    async start(order) {
      const run = findOrMake({ sessionId: order.sessionId, attempt: order.attempt });
      if (run.order || run.life !== "unclaimed") return;
      run.order = order;
      run.hostPid = nextPid;
      nextPid += 2;
      if (!isHolding) setImmediate(() => claim(run));
    },
    async probe(ref) {
      return find(ref)?.pretended ?? pictureOf(find(ref));
    },
    watch(ref, changed) {
      const { watchers } = findOrMake(ref);
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    async stop(ref, because) {
      const run = find(ref);
      if (!run) return;
      run.isStopAsked = true;
      if (run.life === "present" && options.obeysStop !== false) {
        const why: Partial<Ending> =
          because === "operator" ? { cause: "stopped", stoppedBy: because } : { cause: because ?? "stopped" };
        setImmediate(() => end(run, { ...why, exitCode: null, signal: "SIGTERM" }));
      }
    },
    async tell(ref, order) {
      const run = find(ref);
      if (run?.life !== "present") return "over";
      if (options.canBeTold === false) return "cannot";
      const before = run.told.find((other) => isSameOrder(order, other));
      if (before?.kind === "answer") return "answered-before";
      if (before !== undefined) return "text" in order && before.text === order.text ? "told" : "key-reused";
      run.told.push(order);
      return "told";
    },
    async giveUp(ref) {
      const run = findOrMake(ref);
      if (run.life === "unclaimed") run.life = "given-up";
      return run.life === "given-up";
    },
    async endTree(ref) {
      const run = find(ref);
      if (!run) return;
      if (run.life === "present") end(run, { exitCode: null, signal: "SIGTERM" });
      if (run.life === "orphaned") run.life = "gone";
    },
    async list() {
      return [...runs.values()].filter((run) => run.order || run.life !== "unclaimed").map((run) => run.ref);
    },
    async read(ref, offset, limit) {
      return readFrom(find(ref), offset, limit);
    },
    async extent(ref) {
      const run = find(ref);
      return { end: run?.output.length ?? 0, hole: null, lastAt: run?.printedAt ?? null };
    },
    async forget(ref) {
      const run = find(ref);
      if (run && (run.life === "present" || run.life === "orphaned" || (run.life === "unclaimed" && run.order))) {
        throw new Error(`The run ${nameOf(ref)} is present.`);
      }
      runs.delete(nameOf(ref));
    },
  };
}

function scriptOf(order: RunOrder): AgentStep[] {
  const [program, script = "[]"] = order.command.argv;
  if (program === "script") return JSON.parse(script) as AgentStep[];
  return [{ do: "wait" }];
}

async function play(
  run: FakeRun,
  steps: readonly AgentStep[],
  verbs: { print(run: FakeRun, text: string): void; end(run: FakeRun, ending: Partial<Ending>): void },
): Promise<void> {
  if (run.order?.setupScript) {
    const [verb, ...words] = run.order.setupScript.split(" ");
    if (verb === "echo") verbs.print(run, `${words.join(" ")}\n`);
    else return verbs.end(run, { cause: "could-not-start", exitCode: null, message: "The setup script failed." });
  }
  for (const step of steps) {
    await new Promise((resume) => setImmediate(resume));
    if (run.life !== "present") return;
    if (step.do === "print") verbs.print(run, step.text);
    else if (step.do === "repeat-stdin") verbs.print(run, run.order?.command.stdin ?? "");
    else if (step.do === "exit") return verbs.end(run, { exitCode: step.code });
    else if (step.do === "be-missing") {
      return verbs.end(run, { cause: "could-not-start", exitCode: null, message: "The program is not installed." });
    } else return;
  }
  verbs.end(run, { exitCode: 0 });
}
