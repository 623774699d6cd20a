"use client";
/**
 * The same bytes in a terminal, for programs that draw with the cursor. Loaded when it is looked at. It only shows: no keys
 * go anywhere, links do not lead away (the readable output has them with their addresses), titles change nothing.
 */
import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { useEffect, useRef, useState } from "react";
import type { Session } from "@/server/contract/sessions";
import { sentenceOf } from "../api";
import type { OutputPiece } from "../live/output-log";
import { FOLLOW_BYTES, useOutput } from "../live/use-output";
import { Icon } from "../ui/icon";
import { sizeOf } from "../ui/size";
import { toast } from "../ui/toast";
import { emptyWord } from "./empty-word";
import { createStringEnds, type StringEnds } from "./string-ends";

/** Lines that one can scroll back. */
const SCROLL_BACK_LINES = 20_000;
/** More than so many bytes are not drawn: with what comes before, everything is drawn again. */
const DRAWN_MAX_BYTES = 1_000_000;

/** The number by which programs say that words are a link. */
const OSC_LINK = 8;

interface TerminalViewProps {
  readonly session: Session;
  /** What the tab with the whole output is called, and the way there. */
  readonly whole: string;
  readonly openWhole: () => void;
}

export function TerminalView({ session, whole, openWhole }: TerminalViewProps) {
  const output = useOutput(session.id, true);
  const { pieces, start, end, isComplete } = output.window;
  const isOver = session.status !== "queued" && session.status !== "running";
  const [isScrolledOut, setScrolledOut] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const [terminal, setTerminal] = useState<Terminal | null>(null);
  const written = useRef<Written>(nothing());

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new Terminal({
      disableStdin: true,
      convertEol: true,
      scrollback: SCROLL_BACK_LINES,
      ...looksOf(element),
    });
    // Links are plain words here: one that led nowhere would only look like one.
    made.parser.registerOscHandler(OSC_LINK, () => true);
    const fit = new FitAddon();
    made.loadAddon(fit);
    made.open(element);
    fit.fit();
    const sizes = new ResizeObserver(() => fit.fit());
    sizes.observe(element);
    written.current = nothing();
    setTerminal(made);
    return () => {
      sizes.disconnect();
      made.dispose();
    };
  }, []);

  useEffect(() => {
    if (terminal === null) return;
    written.current = write(terminal, pieces, written.current);
    terminal.write("", () => setScrolledOut(terminal.buffer.normal.length >= SCROLL_BACK_LINES + terminal.rows));
  }, [terminal, pieces]);

  const { loadEarlier } = output;
  // A long line at the cut leaves next to nothing of what one follows.
  const isScant = isComplete && start > 0 && end - start < FOLLOW_BYTES;
  useEffect(() => {
    if (isScant) loadEarlier().catch(tellOfFailure);
  }, [isScant, loadEarlier]);
  const canDrawMore = start > 0 && end - start + FOLLOW_BYTES <= DRAWN_MAX_BYTES && !isScrolledOut;

  return (
    <>
      {start > 0 || isScrolledOut ? (
        <div className="out-tools" role="status">
          <span className="faint min-w-0 py-1">
            {start > 0 ? `${sizeOf(start)} of earlier output is` : "Earlier lines are"} not drawn here: {whole} has what
            is kept
          </span>
          {canDrawMore ? (
            <button
              type="button"
              className="btn sm out-earlier"
              aria-label="Load and draw earlier output"
              disabled={output.isReadingEarlier}
              onClick={() => void loadEarlier().catch(tellOfFailure)}
            >
              <Icon name="up" small />
              Load
            </button>
          ) : null}
          <button type="button" className="btn sm end" onClick={openWhole}>
            Open {whole}
          </button>
        </div>
      ) : null}
      <section ref={box} className="out-terminal" aria-label="Terminal">
        {end === 0 ? <p className="out-empty">{emptyWord(isComplete, output.isKnown, isOver)}</p> : null}
      </section>
    </>
  );
}

function tellOfFailure(error: unknown): void {
  toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
}

/** How far the terminal has got: from the piece that was first, so many bytes of the piece that begins there. */
interface Written {
  readonly first: number;
  readonly offset: number;
  readonly bytes: number;
  readonly next: number;
  /** Of the stream since all was forgotten the last time. */
  readonly ends: StringEnds;
}
const nothing = (): Written => ({ first: 0, offset: -1, bytes: 0, next: 0, ends: createStringEnds() });
/** Told in the stream, so that it comes after what is on its way: colours and places of before mean nothing. */
const FORGET_ALL = "\u001bc";

function write(terminal: Terminal, pieces: readonly OutputPiece[], from: Written): Written {
  const first = pieces[0]?.offset ?? from.first;
  const isEarlier = from.offset >= 0 && first < from.first;
  // What was read back stands before all: then everything is drawn again, and who had scrolled up stays there.
  const belowLines = terminal.buffer.active.baseY - terminal.buffer.active.viewportY;
  if (isEarlier) terminal.write(FORGET_ALL);
  let at = isEarlier ? nothing() : from;
  for (const { offset, next, bytes } of pieces) {
    if (offset < at.offset) continue;
    const done = offset === at.offset ? at.bytes : 0;
    // What is between was leapt over.
    const isLeapt = offset > at.next;
    if (isLeapt) terminal.write(FORGET_ALL);
    const ends = isLeapt ? createStringEnds() : at.ends;
    if (done < bytes.length) terminal.write(ends.mend(bytes.subarray(done)));
    at = { first, offset, bytes: bytes.length, next, ends };
  }
  if (isEarlier) terminal.write("", () => terminal.scrollLines(-belowLines));
  return at;
}

/** What xterm calls the 16 colours, in their order. */
const NAMES = [
  ...["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"],
  ...["brightBlack", "brightRed", "brightGreen", "brightYellow"],
  ...["brightBlue", "brightMagenta", "brightCyan", "brightWhite"],
];

/** The design's values, which a terminal cannot read from the style sheet by itself. */
function looksOf(element: HTMLElement) {
  const style = getComputedStyle(element);
  const colour = (name: string) => asRgb(style.getPropertyValue(name), element);
  return {
    fontFamily: style.fontFamily,
    fontSize: 12,
    lineHeight: 1.2,
    theme: {
      background: colour("--term-bg"),
      foreground: colour("--term-text"),
      cursor: colour("--term-bg"),
      ...Object.fromEntries(NAMES.map((name, index) => [name, colour(`--ansi-${index}`)])),
    },
  };
}

function asRgb(value: string, element: HTMLElement): string {
  const paint = element.ownerDocument.createElement("canvas").getContext("2d");
  if (paint === null) return "#111";
  const probe = element.appendChild(element.ownerDocument.createElement("i"));
  probe.style.color = value;
  paint.fillStyle = getComputedStyle(probe).color;
  probe.remove();
  paint.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = paint.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
