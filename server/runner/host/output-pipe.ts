/**
 * The one pipe for stdout and stderr of an agent (R6). A named pipe that loses its name at once: unlike the socket pairs Node
 * makes, it can be opened again by the agent as /dev/stderr, and the system keeps what is written in one order.
 *
 * The host keeps a writing end, so the pipe is never at its end by itself. What is still in it when the tree is dead is read
 * by `drain`, which also ends when a process that escaped goes on writing.
 */
import { execFile, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { HAS_PROC } from "../../system/process-identity";
import { isErrorCode } from "./run-folder";

export interface OutputPipe {
  /** For stdout and stderr of whatever is started. */
  readonly writeFd: number;
  /** Reads from now on; each chunk is dealt with before the next is read. */
  flow(take: (bytes: Uint8Array) => void): void;
  /** Stops the flow and reads what is in the pipe at this moment. */
  drain(take: (bytes: Uint8Array) => void): void;
}

const READ_BYTES = 65_536;
/** What an ordinary user may ask for, instead of the 64 KB a pipe holds at first. */
const PIPE_BYTES = 1_048_576;
const F_SETPIPE_SZ = 1031;
const WIDENERS: readonly (readonly string[])[] = [
  ["perl", "-e", `fcntl(STDOUT, ${F_SETPIPE_SZ}, ${PIPE_BYTES}) or exit 1`],
  ["python3", "-c", `import fcntl; fcntl.fcntl(1, ${F_SETPIPE_SZ}, ${PIPE_BYTES})`],
];
/** No pipe of an ordinary user holds more. */
const DRAIN_LIMIT_BYTES = 4_000_000;

export async function openOutputPipe(folder: string): Promise<OutputPipe> {
  const path = join(folder, `.output.${process.pid}`);
  await promisify(execFile)("mkfifo", ["-m", "600", path]);
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeFd = openSync(path, constants.O_WRONLY);
  unlinkSync(path);
  await widen(writeFd);
  const socket = new Socket({ fd: readFd, readable: true, writable: false });
  socket.pause();
  return {
    writeFd,
    flow(take) {
      socket.on("data", take);
      socket.resume();
    },
    drain(take) {
      socket.removeAllListeners("data");
      socket.pause();
      for (let rest: Buffer | null = socket.read(); rest; rest = socket.read()) take(rest);
      drainNow(readFd, take);
      socket.destroy();
      closeSync(writeFd);
    },
  };
}

/**
 * Best effort, as Node cannot do it itself. An agent that writes without blocking (everything made with Node) mixes stdout
 * into the middle of a stderr line once the pipe is full; a wide pipe is rarely full.
 */
async function widen(writeFd: number): Promise<void> {
  if (!HAS_PROC) return;
  for (const [program = "", ...args] of WIDENERS) {
    const child = spawn(program, args, { stdio: ["ignore", writeFd, "ignore"] });
    const isDone = await new Promise<boolean>((answer) => {
      child.once("error", () => answer(false));
      child.once("exit", (code) => answer(code === 0));
    });
    if (isDone) return;
  }
}

function drainNow(fd: number, take: (bytes: Uint8Array) => void): void {
  const buffer = Buffer.alloc(READ_BYTES);
  for (let total = 0; total < DRAIN_LIMIT_BYTES; ) {
    const read = readNow(fd, buffer);
    if (read === 0) return;
    total += read;
    take(buffer.subarray(0, read));
  }
}

function readNow(fd: number, buffer: Buffer): number {
  try {
    return readSync(fd, buffer);
  } catch (error) {
    if (isErrorCode(error, "EAGAIN")) return 0;
    throw error;
  }
}
