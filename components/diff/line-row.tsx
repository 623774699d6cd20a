/** One row of a patch, unified or side by side: numbers, sign, text, and the button that begins a comment on the line. */
import type { ReactNode } from "react";
import type { ContentLine, PatchLine } from "./patch";
import { type Piece, piecesOf } from "./pieces";
import type { SideRow } from "./sides";
import type { Colours } from "./use-colours";

const SIGNS = { same: "", added: "+", removed: "−" } as const;
const GROUNDS = { same: "", added: "p", removed: "m" } as const;

/** Columns of a table, by layout. */
export const COLUMNS = { unified: 4, split: 6 } as const;

export function FullRow({ line, span }: { line: PatchLine; span: number }) {
  return (
    <tr className={line.kind === "head" ? "h" : "r"}>
      <td colSpan={span}>
        {line.kind === "head" ? "@@ " : ""}
        {line.text}
      </td>
    </tr>
  );
}

export function UnifiedRow({ line, colours }: { line: ContentLine; colours: Colours }) {
  return (
    <tr className={GROUNDS[line.kind]}>
      <td className="ln">{line.old}</td>
      <td className="ln">{line.new}</td>
      <td className="sg">
        {SIGNS[line.kind]}
        <CommentButton line={line} />
      </td>
      <Text line={line} colours={colours} />
    </tr>
  );
}

export function PairRow({ row, colours }: { row: Extract<SideRow, { kind: "pair" }>; colours: Colours }) {
  return (
    <tr>
      <Side line={row.old} number={row.old?.old ?? null} isOwn={row.old?.kind === "removed"} colours={colours} />
      <Side line={row.new} number={row.new?.new ?? null} isOwn colours={colours} />
    </tr>
  );
}

interface SideProps {
  readonly line: ContentLine | null;
  readonly number: number | null;
  /** Comments on it begin on this side; those on unchanged lines on the right. */
  readonly isOwn: boolean;
  readonly colours: Colours;
}

function Side({ line, number, isOwn, colours }: SideProps) {
  if (line === null) {
    return (
      <>
        <td className="ln void" />
        <td className="sg void" />
        <td className="tx void" />
      </>
    );
  }
  const ground = GROUNDS[line.kind];
  return (
    <>
      <td className={`ln ${ground}`}>{number}</td>
      <td className={`sg ${ground}`}>
        {SIGNS[line.kind]}
        {isOwn ? <CommentButton line={line} /> : null}
      </td>
      <Text line={line} colours={colours} ground={ground} />
    </>
  );
}

/** Read by whoever holds the lines: one listener for all of them. */
function CommentButton({ line }: { line: ContentLine }) {
  const isRemoved = line.kind === "removed";
  const number = isRemoved ? line.old : line.new;
  return (
    <button
      type="button"
      className="line-button"
      tabIndex={-1}
      data-line={`${isRemoved ? "old" : "new"}:${number}`}
      aria-label={`Comment on ${isRemoved ? "removed " : ""}line ${number}`}
    />
  );
}

function Text({ line, colours, ground = "" }: { line: ContentLine; colours: Colours; ground?: string }) {
  return (
    <td className={`tx ${ground}`}>
      {piecesOf(line, colours.get(line)).map((piece, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line never change places
        <Words key={place} piece={piece} />
      ))}
    </td>
  );
}

function Words({ piece: { text, name, isChanged } }: { piece: Piece }): ReactNode {
  const className = name === null ? undefined : `code-${name}`;
  if (isChanged) return <mark className={className}>{text}</mark>;
  return className === undefined ? text : <span className={className}>{text}</span>;
}
