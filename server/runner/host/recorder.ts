/**
 * From the agent's pipe to the journal: bytes are masked before anything is stored (A3). When the disk refuses, says so once
 * and goes on emptying the pipe, so that the agent can be stopped instead of hanging in a write (R14).
 */
import { createMasker } from "../../core/text/masking";
import { openJournal } from "./journal";
import { openOutputPipe } from "./output-pipe";
import { openReserve } from "./reserve";

/** So long what is held back for the mask's sake waits for more before people see what of it tells nothing, ms. */
const SETTLE_AFTER_MS = 1_000;
const NEWLINE = 10;
const LINE_END = new Uint8Array([NEWLINE]);

export interface Recorder {
  /** For stdout and stderr of whatever is started. */
  readonly writeFd: number;
  /**
   * Whole lines, with their ends: they begin on a line of their own, whatever the pipe brought before. `saysNothing`: they are
   * stored, and whoever wrote them is as quiet as before.
   */
  append(lines: Uint8Array, saysNothing?: boolean): void;
  /** What follows at once, in the middle of a line. */
  write(bytes: Uint8Array): void;
  /** How long nothing was said, ms; from the beginning, if nothing ever was. */
  quietMs(): number;
  /** After the tree is dead: stores what is still in the pipe, closes, and tells where the output ends. */
  close(): number;
}

export async function openRecorder(
  folder: string,
  secrets: readonly string[],
  diskRefused: (error: unknown) => void,
): Promise<Recorder> {
  const masker = createMasker(secrets);
  const reserve = await openReserve(folder);
  const journal = openJournal(folder);
  const pipe = await openOutputPipe(folder);
  let isRefused = false;
  let isAtLineStart = true;
  let saidAt = performance.now();
  /** The same on the calendar, ms since 1970. */
  let saidOn = Date.now();
  /** What is stored now says nothing: it belongs to the time at which something was said. */
  let isQuiet = false;

  const guarded = (write: () => void) => {
    if (isRefused) return;
    try {
      write();
    } catch (error) {
      isRefused = true;
      reserve.release();
      diskRefused(error);
    }
  };
  const store = (bytes: Uint8Array) =>
    guarded(() => {
      journal.append(bytes);
      if (isQuiet) journal.date(saidOn);
    });
  const take = (bytes: Uint8Array, saysNothing = false) => {
    if (bytes.length > 0) {
      isAtLineStart = bytes[bytes.length - 1] === NEWLINE;
      isQuiet = saysNothing;
      if (!saysNothing) {
        saidAt = performance.now();
        saidOn = Date.now();
      }
    }
    store(masker.push(bytes));
    settling.refresh();
  };
  const settling = setTimeout(() => store(masker.settle()), SETTLE_AFTER_MS);
  settling.unref();

  pipe.flow((bytes) => take(bytes));
  return {
    writeFd: pipe.writeFd,
    append(lines, saysNothing) {
      if (!isAtLineStart) take(LINE_END, saysNothing);
      take(lines, saysNothing);
    },
    write: (bytes) => take(bytes),
    quietMs: () => performance.now() - saidAt,
    close() {
      pipe.drain((bytes) => take(bytes));
      clearTimeout(settling);
      store(masker.end());
      guarded(() => journal.close());
      reserve.release();
      return journal.end;
    },
  };
}
