/** A line cut into pieces, each of one colour and changed or not. Pure; the pieces together are the line. */
import type { ContentLine } from "./patch";
import type { Coloured, ColourName } from "./syntax";

export interface Piece {
  readonly text: string;
  readonly name: ColourName | null;
  readonly isChanged: boolean;
}

export function piecesOf({ text, changed }: ContentLine, coloured: readonly Coloured[] = []): Piece[] {
  const [from, to] = changed ?? [0, 0];
  const cuts = new Set([0, from, to, text.length]);
  for (const colour of coloured) cuts.add(colour.from).add(colour.to);
  const places = [...cuts].filter((cut) => cut <= text.length).sort((one, other) => one - other);
  const pieces: Piece[] = [];
  let next = 0;
  for (const [index, start] of places.entries()) {
    const end = places[index + 1];
    if (end === undefined) break;
    while ((coloured[next]?.to ?? Number.POSITIVE_INFINITY) <= start) next++;
    const colour = coloured[next];
    const name = colour !== undefined && colour.from <= start ? colour.name : null;
    pieces.push({ text: text.slice(start, end), name, isChanged: start >= from && end <= to });
  }
  return pieces;
}
