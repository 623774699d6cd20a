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
import type { OutputPiece } from "../live/output-log";
import { useOutput } from "../live/use-output";

/** Lines that one can scroll back. */
const SCROLL_BACK_LINES = 20_000;

export function TerminalView({ session }: { session: Session }) {
  const { pieces } = useOutput(session.id, true).window;
  const box = useRef<HTMLDivElement>(null);
  const [terminal, setTerminal] = useState<Terminal | null>(null);
  const written = useRef<Written>(NOTHING);

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const made = new Terminal({
      disableStdin: true,
      convertEol: true,
      scrollback: SCROLL_BACK_LINES,
      linkHandler: { activate: () => {} },
      ...looksOf(element),
    });
    const fit = new FitAddon();
    made.loadAddon(fit);
    made.open(element);
    fit.fit();
    const sizes = new ResizeObserver(() => fit.fit());
    sizes.observe(element);
    written.current = NOTHING;
    setTerminal(made);
    return () => {
      sizes.disconnect();
      made.dispose();
    };
  }, []);

  useEffect(() => {
    if (terminal !== null) written.current = write(terminal, pieces, written.current);
  }, [terminal, pieces]);

  return <section ref={box} className="out-terminal" aria-label="Terminal" />;
}

/** How far the terminal has got: so many bytes of the piece that begins there. */
interface Written {
  readonly offset: number;
  readonly bytes: number;
  readonly next: number;
}
const NOTHING: Written = { offset: -1, bytes: 0, next: 0 };

function write(terminal: Terminal, pieces: readonly OutputPiece[], from: Written): Written {
  let at = from;
  for (const { offset, next, bytes } of pieces) {
    if (offset < at.offset) continue;
    const done = offset === at.offset ? at.bytes : 0;
    // What is between was leapt over: colours and places of before mean nothing here.
    if (offset > at.next) terminal.reset();
    if (done < bytes.length) terminal.write(bytes.subarray(done));
    at = { offset, bytes: bytes.length, next };
  }
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
