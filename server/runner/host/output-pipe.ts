/**
 * The one pipe for stdout and stderr of an agent (R6). A named pipe that loses its name at once: unlike the socket pairs Node
 * makes, it can be opened again by the agent as /dev/stderr, and the system keeps what is written in one order.
 *
 * The host keeps a writing end, so the pipe is never at its end by itself. What is still in it when the tree is dead is read
 * by `drain`, which also ends when a process that escaped goes on writing.
 */
import { execFile } from "node:child_process";
import { closeSync, constants, openSync, readSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
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
/** No pipe of an ordinary user holds more. */
const DRAIN_LIMIT_BYTES = 4_000_000;

export async function openOutputPipe(folder: string): Promise<OutputPipe> {
  const path = join(folder, `.output.${process.pid}`);
  await promisify(execFile)("mkfifo", ["-m", "600", path]);
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeFd = openSync(path, constants.O_WRONLY);
  unlinkSync(path);
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
