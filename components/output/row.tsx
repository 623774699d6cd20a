/** One row of output. Everything is text: the only markup is ours, the only links are those `escapes.ts` found harmless. */
import { type CSSProperties, memo, type ReactNode } from "react";
import { type Line, type Span, textOfLine } from "./ansi";
import { marked } from "./marked";
import type { TextStyle } from "./text-style";

interface RowProps {
  readonly line: Line;
  /** Marked where it stands; empty: nothing. */
  readonly sought: string;
}

export const Row = memo(function Row({ line, sought }: RowProps) {
  if (line.spans.length === 0) return "\u200b";
  const parts: ReactNode[] = [];
  for (let at = 0; at < line.spans.length; at++) {
    const span = line.spans[at];
    if (span === undefined) continue;
    const { link } = span.style;
    if (link === null) {
      parts.push(<Piece key={at} span={span} sought={sought} />);
      continue;
    }
    const inside = [span];
    while (line.spans[at + 1]?.style.link === link) {
      at++;
      const more = line.spans[at];
      if (more !== undefined) inside.push(more);
    }
    parts.push(<Link key={at} address={link} spans={inside} sought={sought} />);
  }
  return parts;
});

/** What a link says is not where it leads, so the true address stands beside it. */
function Link({ address, spans, sought }: { address: string; spans: readonly Span[]; sought: string }) {
  const isSaid = textOfLine({ spans, goesOn: false }) === address;
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
        {spans.map((span, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line that is over never change
          <Piece key={place} span={span} sought={sought} />
        ))}
      </a>
      {isSaid ? null : <span className="out-address"> ({address})</span>}
    </>
  );
}

function Piece({ span: { text, style }, sought }: { span: Span; sought: string }) {
  const content = sought === "" ? text : marked(text, sought);
  const css = cssOf(style);
  return css === undefined ? content : <span style={css}>{content}</span>;
}

function cssOf(style: TextStyle): CSSProperties | undefined {
  const css: CSSProperties = {};
  const [front, back] = style.isInverse
    ? [style.back ?? "var(--term-bg)", style.front ?? "var(--term-text)"]
    : [style.front, style.back];
  // Without a ground of its own a colour has to be readable on ours, whatever the program believed the ground to be.
  if (front !== null) css.color = back === null ? `oklch(from ${front} max(l, 0.66) c h)` : front;
  if (back !== null) css.background = back;
  if (style.isBold) css.fontWeight = 600;
  if (style.isDim && front === null) css.color = "var(--term-dim)";
  if (style.isItalic) css.fontStyle = "italic";
  const lines = [style.isUnderlined ? "underline" : "", style.isStruck ? "line-through" : ""].filter(Boolean).join(" ");
  if (lines !== "") css.textDecoration = lines;
  return Object.keys(css).length === 0 ? undefined : css;
}
