/**
 * A conversation with an agent by lines of JSON over its stdin and stdout: what is common to all protocols. Every line that
 * comes goes into the journal as it came (masked), understood or not; what the protocol needs of it is the protocol's.
 *
 * Lines of the host (`{"camelot": …}`) stand between them: where the work begins, what was asked, answered and said.
 * A protocol that throws loses one message and not the run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Json, parseLine } from "../../../core/agent/json";
import { maskText } from "../../../core/text/masking";
import type { Launched, LaunchRequest } from "../launch";
import { createOrderReader, watchOrders } from "../orders";
import { createQuestions, type Wish } from "../questions";
import type { Recorder } from "../recorder";
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
  /** The conversation to go on with is not there any more. */
  lost(): void;
  /** The agent has reported: it is let go, unless somebody has said something more in this moment. */
  over(result: "success" | "error", message?: string): void;
}

export interface Protocol {
  /** The agent is up. */
  begin(prompt: string): void;
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
  readonly protocol: (speaker: Speaker) => Protocol;
}

/** An agent that was let go and is still there after so long is ended. */
const LEAVE_WITHIN_MS = 5_000;
/** After the tree is dead nobody writes any more; a process that escaped is not waited for. */
const DRAIN_WITHIN_MS = 1_000;

export function createTalkDriver(parts: TalkParts): Driver {
  const { recorder } = parts;
  const mask = (text: string) => maskText(text, parts.secrets);
  const note = (line: object) => recorder.append(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  const questions = createQuestions(parts.folder, mask, note);
  const readOrders = createOrderReader(parts.folder);
  let agent: Extract<Launched, { kind: "started" }> | null = null;
  let reported: { result: "success" | "error"; message?: string } | null = null;
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
  const look = () => {
    looking = looking.then(async () => {
      for (const order of await readOrders()) {
        if (order.kind === "answer") questions.answer(order.questionId, order.option);
        else if (!isLetGo && !isCancelled) {
          note({ camelot: "message", text: mask(order.text) });
          reported = null;
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
    ask: questions.ask,
    withdraw: questions.withdraw,
    lost: () => note({ camelot: "lost" }),
    begins: (conversation) => note({ camelot: "begin", conversation }),
    over(result, message) {
      reported = message === undefined ? { result } : { result, message };
      void look().finally(() => {
        if (reported) letGo();
      });
    },
  });
  const hear = (line: Uint8Array) => {
    recorder.append(line);
    const message = parseLine(new TextDecoder().decode(line).trim());
    if (!message) return;
    try {
      protocol.receive(message);
    } catch {
      // Of a release that says something else here; what it said is in the journal.
    }
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
      }
      const unwatch = watchOrders(parts.folder, look);
      void launched.exited.then(unwatch);
      protocol.begin(parts.prompt);
      return launched;
    },
    conversation: {
      lingers,
      cancel() {
        isCancelled = true;
        questions.withdraw();
        protocol.cancel();
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
