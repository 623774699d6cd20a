/**
 * Cuts git's patch output into one piece per file while it streams, within limits: what is too long is left out whole, never
 * half shown. Holds at most the limits' bytes. A line of a patch never starts with "diff --git": content lines have a mark before them.
 */

/** Bytes that are kept (10³, 10⁶). */
export interface PatchLimits {
  readonly file: number;
  readonly all: number;
}

/** 200 KB per file, 2 MB in all. */
const ALL_FILES: PatchLimits = { file: 200_000, all: 2_000_000 };

const HEADER = Buffer.from("diff --git ");
const NEXT_HEADER = Buffer.from("\ndiff --git ");

export type PatchOf = { readonly kind: "whole"; readonly text: string } | { readonly kind: "cut" };

export class PatchReader {
  private readonly owners: number[];
  private readonly texts: PatchOf[];
  /** The patch that is being read, counted from 0; -1 before the first header. */
  private current = -1;
  /** Bytes of the present file; null when they are more than a file may have. */
  private pieces: Buffer[] | null = [];
  private pieceBytes = 0;
  private allBytes = 0;
  private isFull = false;
  /** The end of the last chunk: a header may be split between two. */
  private rest: Buffer = Buffer.alloc(0);

  private readonly limits: PatchLimits;

  /** `files`: in git's order; each says how many patches it has. */
  constructor(files: readonly { readonly patches: 1 | 2 }[], limits: PatchLimits = ALL_FILES) {
    this.limits = limits;
    this.texts = files.map(() => ({ kind: "cut" }));
    this.owners = files.flatMap((file, index) => Array<number>(file.patches).fill(index));
  }

  /** False when nothing more can be kept: git may stop. */
  take(chunk: Buffer): boolean {
    let buffer = Buffer.concat([this.rest, chunk]);
    if (this.current === -1 && buffer.length >= HEADER.length) this.current = 0;
    for (let next = buffer.indexOf(NEXT_HEADER); next !== -1; next = buffer.indexOf(NEXT_HEADER)) {
      this.keep(buffer.subarray(0, next + 1));
      this.finishPatch();
      buffer = buffer.subarray(next + 1);
    }
    const safe = Math.max(0, buffer.length - NEXT_HEADER.length);
    this.keep(buffer.subarray(0, safe));
    this.rest = Buffer.from(buffer.subarray(safe));
    return !this.isFull;
  }

  /** One answer per file. */
  end(): readonly PatchOf[] {
    this.keep(this.rest);
    this.finishPatch();
    return this.texts;
  }

  private keep(bytes: Buffer): void {
    this.pieceBytes += bytes.length;
    if (this.pieceBytes > this.limits.file) this.pieces = null;
    else this.pieces?.push(Buffer.from(bytes));
  }

  /** The present patch is whole; its file is, too, unless it has another one. */
  private finishPatch(): void {
    const owner = this.owners[this.current++];
    if (owner === undefined || owner === this.owners[this.current]) return;
    if (this.allBytes + this.pieceBytes > this.limits.all && this.pieces !== null) this.isFull = true;
    if (this.pieces !== null && !this.isFull) {
      this.allBytes += this.pieceBytes;
      this.texts[owner] = { kind: "whole", text: Buffer.concat(this.pieces).toString("utf8") };
    }
    this.pieces = [];
    this.pieceBytes = 0;
  }
}
