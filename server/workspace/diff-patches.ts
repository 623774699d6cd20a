/**
 * Cuts git's patch output into one piece per file while it streams, within limits: what is too long is left out whole, never
 * half shown. Holds at most the limits' bytes. A line of a patch never starts with "diff --git": content lines have a mark before them.
 */

/** 200 KB per file, 2 MB in all (10³, 10⁶). */
const FILE_LIMIT_BYTES = 200_000;
const ALL_LIMIT_BYTES = 2_000_000;

const HEADER = Buffer.from("diff --git ");
const NEXT_HEADER = Buffer.from("\ndiff --git ");

export type PatchOf = { readonly kind: "whole"; readonly text: string } | { readonly kind: "cut" };

export class PatchReader {
  private readonly pieces: Buffer[][];
  private readonly isTooLong: boolean[];
  private readonly owners: number[];
  /** The patch that is being read, counted from 0; -1 before the first header. */
  private current = -1;
  private rest: Buffer = Buffer.alloc(0);
  private keptBytes = 0;

  /** `files`: in git's order; each says how many patches it has. */
  constructor(files: readonly { readonly patches: 1 | 2 }[]) {
    this.pieces = files.map(() => []);
    this.isTooLong = files.map(() => false);
    this.owners = files.flatMap((file, index) => Array<number>(file.patches).fill(index));
  }

  /** False when nothing more can be kept: git may stop. */
  take(chunk: Buffer): boolean {
    let buffer = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    if (this.current === -1) {
      if (buffer.length < HEADER.length) {
        this.rest = buffer;
        return true;
      }
      this.current = 0;
    }
    for (let next = buffer.indexOf(NEXT_HEADER); next !== -1; next = buffer.indexOf(NEXT_HEADER)) {
      this.keep(buffer.subarray(0, next + 1));
      this.current++;
      buffer = buffer.subarray(next + 1);
    }
    // A header may be split between two chunks: its possible beginning waits.
    const safe = Math.max(0, buffer.length - NEXT_HEADER.length);
    this.keep(buffer.subarray(0, safe));
    this.rest = Buffer.from(buffer.subarray(safe));
    return this.keptBytes <= ALL_LIMIT_BYTES;
  }

  /** One answer per file. */
  end(): PatchOf[] {
    const isStopped = this.keptBytes > ALL_LIMIT_BYTES;
    if (this.current >= 0 && !isStopped) this.keep(this.rest);
    const last = this.owners[this.current] ?? -1;
    return this.pieces.map((parts, index) => {
      if (this.isTooLong[index] || (isStopped && index >= last)) return { kind: "cut" };
      return { kind: "whole", text: Buffer.concat(parts).toString("utf8") };
    });
  }

  private keep(bytes: Buffer): void {
    const owner = this.owners[this.current];
    const parts = owner === undefined ? undefined : this.pieces[owner];
    if (owner === undefined || parts === undefined || this.isTooLong[owner]) return;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length + bytes.length > FILE_LIMIT_BYTES) {
      this.isTooLong[owner] = true;
      this.pieces[owner] = [];
      this.keptBytes -= length;
      return;
    }
    parts.push(Buffer.from(bytes));
    this.keptBytes += bytes.length;
  }
}
