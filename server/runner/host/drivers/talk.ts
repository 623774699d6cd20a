/**
 * A conversation with an agent by lines of JSON over its stdin and stdout: what is common to all protocols. Every line that
 * comes goes into the journal as it came (masked), understood or not; what the protocol needs of it is the protocol's.
 *
 * Lines of the host (`{"camelot": …}`) stand between them: where the work begins, what was asked, answered and said. What
 * answers nothing that was asked stands in such a line as well, so that nobody who reads takes it for an answer.
 * A protocol that throws loses one message and not the run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Json, parseLine } from "../../../core/agent/json";
import type { RefusedSetting } from "../../../core/agent/refused-setting";
import { maskText } from "../../../core/text/masking";
import type { Launched, LaunchRequest } from "../launch";
import { createOrderReader, watchOrders } from "../orders";
import { createQuestions, type Wish } from "../questions";
import type { Recorder } from "../recorder";
import { createBackground } from "./background";
import { createComingUp } from "./coming-up";
import type { Driver } from "./driver";
import { createLineCutter } from "./line-cutter";

/** What a protocol may do. */
export interface Speaker {
  /** One message to the agent. */
  send(message: object): void;
  /** Asks people; null: it is not asked any more. */
  ask(token: string, wish: Wish): Promise<string | null>;
  withdraw(token: string): void;
  /** The prompt is on its way, in this conversation: what the agent tells from now on is this session's. */
  begins(conversation: string | null): void;
  /** The agent has taken up the protocol. Harmless twice. */
  up(): void;
  /** Why it never will, in one plain sentence. */
  unfit(sentence: string): void;
  /** It does not take one of its settings: its prompt is kept from it, and `over` is said next. */
  refuses(setting: RefusedSetting): void;
  /** The conversation to go on with is not there any more. */
  lost(): void;
  /**
   * The agent has reported: it is let go, unless somebody has said something more in this moment. `running`: what it started
   * and did not wait for, which ends with it.
   */
  over(result: "success" | "error", message?: string, running?: readonly string[]): void;
  /** It has reported success and goes on by itself once this has come to its end; empty: at once. Again: it has told of that. */
  waits(running: readonly string[]): void;
  /** It has gone on. Harmless when it was not waited for. */
  works(): void;
}

export interface Protocol {
  /** The program was started. */
  begin(prompt: string): void;
  /** It answers nothing that was asked, or what was answered before: no reader may take it for an answer. */
  isStray(message: Json): boolean;
  receive(message: Json): void;
  /** A person says something to the running agent. */
  say(text: string): void;
  cancel(): void;
}

export interface TalkParts {
  readonly folder: string;
  readonly argv: readonly string[];
  readonly prompt: string;
  readonly secrets: readonly string[];
  readonly recorder: Recorder;
  /** How long the agent may take until it is up, ms; absent: as long as all. */
  readonly upWithinMs: number | undefined;
  /** How long it may say nothing while it waits for what it started, ms; absent: as long as all. */
  readonly quietWithinMs: number | undefined;
  readonly isSignOfLife: (message: Json) => boolean;
  readonly protocol: (speaker: Speaker) => Protocol;
}

/** An agent that was let go and is still there after so long is ended. */
const LEAVE_WITHIN_MS = 5_000;
/** Who closes its output is about to leave; one that is still there after so long has nothing more to say. */
const CLOSED_WITHIN_MS = 2_000;
/** After the tree is dead nobody writes any more; a process that escaped is not waited for. */
const DRAIN_WITHIN_MS = 1_000;

export function createTalkDriver(parts: TalkParts): Driver {
  const { recorder } = parts;
  const mask = (text: string) => maskText(text, parts.secrets);
  const note = (line: object) => recorder.append(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  const questions = createQuestions(parts.folder, mask, note);
  const readOrders = createOrderReader(parts.folder);
  const comingUp = createComingUp(parts.upWithinMs);
  let agent: Extract<Launched, { kind: "started" }> | null = null;
  let reported: { result: "success" | "error"; message?: string } | null = null;
  let asked = 0;
  let isCancelled = false;
  let isLetGo = false;
  let drained: Promise<void> = Promise.resolve();
  let looking: Promise<void> = Promise.resolve();
  let lingersNow = () => {};
  const lingers = new Promise<void>((resolve) => {
    lingersNow = resolve;
  });

  const letGo = () => {
    if (isLetGo) return;
    isLetGo = true;
    agent?.stdin?.end();
    setTimeout(lingersNow, LEAVE_WITHIN_MS).unref();
  };
  const leave = (running: readonly string[]) => {
    if (!isLetGo && !isCancelled && running.length > 0) note({ camelot: "ended", running: running.map(mask) });
    background.end();
    letGo();
  };
  const background = createBackground(
    (running) => note({ camelot: "waiting", running: running.map(mask) }),
    (running) =>
      void look().finally(() => {
        if (!background.isWaiting) return;
        // A helper asked people something: then it is not the agent that is silent.
        if (asked > 0) background.wait(running);
        else leave(running);
      }),
    parts.quietWithinMs,
  );
  const look = () => {
    looking = looking.then(async () => {
      for (const order of await readOrders()) {
        if (order.kind === "answer") questions.answer(order.questionId, order.option);
        else if (!isLetGo && !isCancelled) {
          note({ camelot: "message", text: mask(order.text) });
          reported = null;
          background.end();
          protocol.say(order.text);
        }
      }
    });
    return looking;
  };
  const protocol = parts.protocol({
    send(message) {
      if (!isLetGo) agent?.stdin?.write(`${JSON.stringify(message)}\n`);
    },
    async ask(token, wish) {
      asked += 1;
      const option = await questions.ask(token, wish);
      asked -= 1;
      return option;
    },
    withdraw: questions.withdraw,
    up: comingUp.succeed,
    unfit: comingUp.fail,
    refuses: ({ setting, wanted, said, offered }) =>
      note({
        camelot: "refused",
        setting,
        wanted: mask(wanted),
        said: said === null ? null : mask(said),
        offered: offered.map(mask),
      }),
    lost: () => note({ camelot: "lost" }),
    begins: (conversation) => note({ camelot: "begin", conversation }),
    over(result, message, running = []) {
      comingUp.end();
      background.end();
      reported = message === undefined ? { result } : { result, message };
      void look().finally(() => {
        if (reported) leave(running);
      });
    },
    waits(running) {
      reported = { result: "success" };
      if (isCancelled) return letGo();
      background.wait(running);
      void look();
    },
    works() {
      if (!background.isWaiting) return;
      reported = null;
      background.end();
    },
  });
  const hear = (line: Uint8Array) => {
    const text = new TextDecoder().decode(line).trim();
    const message = parseLine(text);
    if (message && protocol.isStray(message)) return note({ camelot: "stray", line: mask(text) });
    recorder.append(line, message !== null && parts.isSignOfLife(message));
    if (!message) return;
    try {
      protocol.receive(message);
    } catch {
      // Of a release that says something else here; what it said is in the journal.
    }
  };

  /** Its output has ended and it has not: nothing that it could still do would ever be known. */
  const outlivedItsOutput = () => {
    if (!comingUp.isUp) return comingUp.fail("The agent's program closed its output before it took up its protocol.");
    if (reported) return letGo();
    note({ camelot: "closed" });
    lingersNow();
  };

  return {
    async start(launch: (request: Pick<LaunchRequest, "argv" | "stdinFd">) => Promise<Launched>) {
      const launched = await launch({ argv: parts.argv, stdinFd: "talk" });
      if (launched.kind === "failed") return launched;
      agent = launched;
      const cutter = createLineCutter(hear, (piece, isFirst) =>
        isFirst ? recorder.append(piece) : recorder.write(piece),
      );
      const { stdin, stdout } = launched;
      // It may leave before it has read everything.
      stdin?.on("error", () => {});
      if (stdout) {
        stdout.on("data", cutter.push);
        drained = new Promise((resolve) => stdout.once("close", resolve));
        drained = drained.then(cutter.end);
        stdout.once("end", () => {
          const late = setTimeout(outlivedItsOutput, CLOSED_WITHIN_MS);
          void launched.exited.then(() => clearTimeout(late));
        });
      }
      const unwatch = watchOrders(parts.folder, look);
      void launched.exited.then(unwatch);
      void launched.exited.then(comingUp.end);
      comingUp.begin();
      protocol.begin(parts.prompt);
      return launched;
    },
    conversation: {
      up: comingUp.up,
      failsToStart: comingUp.fails,
      lingers,
      cancel() {
        isCancelled = true;
        questions.withdraw();
        protocol.cancel();
        // Between two turns there is nothing that it would report.
        if (background.isWaiting) letGo();
        background.end();
      },
      async settle() {
        await Promise.race([drained, sleep(DRAIN_WITHIN_MS, undefined, { ref: false })]);
        agent?.stdout?.destroy();
        questions.withdraw();
      },
      outcome: () => reported ?? { result: "none" },
    },
  };
}
