/**
 * From the agent's pipe to the journal: bytes are masked before anything is stored (A3). When the disk refuses, says so once
 * and goes on emptying the pipe, so that the agent can be stopped instead of hanging in a write (R14).
 */
import { createMasker } from "../../core/text/masking";
import { openJournal } from "./journal";
import { openOutputPipe } from "./output-pipe";
import { openReserve } from "./reserve";

export interface Recorder {
  /** For stdout and stderr of whatever is started. */
  readonly writeFd: number;
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
  const take = (bytes: Uint8Array) => guarded(() => journal.append(masker.push(bytes)));

  pipe.flow(take);
  return {
    writeFd: pipe.writeFd,
    close() {
      pipe.drain(take);
      guarded(() => journal.append(masker.end()));
      guarded(() => journal.close());
      reserve.release();
      return journal.end;
    },
  };
}
