/**
 * The window's pieces as rows of the screen. A piece is read once: what grew is read on from where it stood, what was let
 * go is forgotten. Rows keep their key and their object as long as they are held, so that nobody draws them twice.
 */
import type { OutputPiece } from "../live/output-log";
import { AT_LINE_START, type Line, type ReadState, readAnsi, textOfLine } from "./ansi";

export interface OutputRow {
  /** Stable for as long as the row is held. */
  readonly key: string;
  readonly line: Line;
}

/** What of a row is searched. */
export const textOfRow = ({ line }: OutputRow) => textOfLine(line);
export const keyOfRow = ({ key }: OutputRow) => key;

interface ReadPiece {
  readonly from: ReadState;
  length: number;
  state: ReadState;
  readonly rows: OutputRow[];
}

export class OutputRows {
  private held = new Map<number, ReadPiece>();

  of(pieces: readonly OutputPiece[]): readonly OutputRow[] {
    const next = new Map<number, ReadPiece>();
    const rows: OutputRow[] = [];
    let state = AT_LINE_START;
    let key = "start";
    for (const piece of pieces) {
      const read = this.read(piece, state);
      next.set(piece.offset, read);
      for (const row of read.rows) rows.push(row);
      state = read.state;
      key = keyOf(piece, read.rows.length);
    }
    this.held = next;
    if (state.open.length > 0) rows.push({ key, line: { spans: state.open, goesOn: false } });
    return rows;
  }

  private read(piece: OutputPiece, from: ReadState): ReadPiece {
    const held = this.held.get(piece.offset);
    const isTheSame = held !== undefined && held.from === from && held.length <= piece.text.length;
    const read = isTheSame ? held : { from, length: 0, state: from, rows: [] };
    if (read.length === piece.text.length) return read;
    const { lines, state } = readAnsi(read.state, piece.text.slice(read.length));
    for (const line of lines) read.rows.push({ key: keyOf(piece, read.rows.length), line });
    read.length = piece.text.length;
    read.state = state;
    return read;
  }
}

function keyOf(piece: OutputPiece, place: number): string {
  return `${piece.offset}:${place}`;
}
