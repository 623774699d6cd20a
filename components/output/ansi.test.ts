import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AT_LINE_START, type Line, type ReadState, ROW_MAX_CHARS, readAnsi, textOfLine, textOfLines } from "./ansi";
import { safeAddress } from "./escapes";

const ESC = "\u001b";
const BEL = "\u0007";

function linesOf(...pieces: string[]): Line[] {
  const lines: Line[] = [];
  let state: ReadState = AT_LINE_START;
  for (const piece of pieces) {
    const read = readAnsi(state, piece);
    lines.push(...read.lines);
    state = read.state;
  }
  return state.open.length > 0 ? [...lines, { spans: state.open, goesOn: false }] : lines;
}

function textsOf(...pieces: string[]): string[] {
  return linesOf(...pieces).map(textOfLine);
}

function linksIn(lines: readonly Line[]): (string | null)[] {
  return lines.flatMap(({ spans }) => spans.filter(({ style }) => style.link !== null).map(({ style }) => style.link));
}

describe("what is read", () => {
  test("[B7] lines keep their text, their indentation and their empty lines", () => {
    expect(textsOf("one\n\n\ttwo  \nthree")).toEqual(["one", "", "\ttwo  ", "three"]);
    expect(textsOf("windows\r\nline\r\n")).toEqual(["windows", "line"]);
  });

  test("[B7] the 16 colours, the 256 and true colours, bold and the way back are styles and no text", () => {
    const [line] = linesOf(
      `${ESC}[1;31mred${ESC}[0m plain ${ESC}[38;5;208morange${ESC}[39m${ESC}[48;2;1;2;3mon${ESC}[m`,
    );
    expect(line?.spans.map(({ text, style }) => [text, style.front, style.back, style.isBold])).toEqual([
      ["red", "var(--ansi-1)", null, true],
      [" plain ", null, null, false],
      ["orange", "rgb(255 135 0)", null, false],
      ["on", null, "rgb(1 2 3)", false],
    ]);
  });

  test("[B7] a progress line shows its last state, a cleared line nothing, a step back takes one character", () => {
    expect(textsOf("  1 %\r 50 %\r100 %\ndone\n")).toEqual(["100 %", "done"]);
    expect(textsOf(`gone${ESC}[2Kstays\n`)).toEqual(["stays"]);
    expect(textsOf("ab👍\b\bc\n")).toEqual(["ac"]);
  });

  test("[LOG-1] NUL bytes become one mark for each run of them, and nothing behind them is lost", () => {
    expect(textsOf(`\u0000line 1\nline \u0000\u0000\u0000 4\n${"\u0000".repeat(200_000)}\nline 5\n`)).toEqual([
      "␀line 1",
      "line ␀ 4",
      "␀",
      "line 5",
    ]);
  });

  test("[B7] a line without end is broken into rows, copied as one line, and no character is cut in two", () => {
    const long = "€👍".repeat(1_000);
    const lines = linesOf(`${long}\nend\n`);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      expect(textOfLine(line).length).toBeLessThanOrEqual(ROW_MAX_CHARS);
      expect(textOfLine(line)).not.toMatch(/\p{Surrogate}/u);
    }
    expect(textOfLines(lines)).toBe(`${long}\nend\n`);
  });
});

describe("links and markup", () => {
  const link = (address: string, text: string) => `${ESC}]8;;${address}${ESC}\\${text}${ESC}]8;;${ESC}\\\n`;

  test("[SEC-4][S3] only http, https and mailto become links", () => {
    expect(linksIn(linesOf(link("https://example.test/ok?a=1&b=2", "OK")))).toEqual([
      "https://example.test/ok?a=1&b=2",
    ]);
    expect(linksIn(linesOf(`${ESC}]8;;https://example.test/bel${BEL}OK${ESC}]8;;${BEL}\n`))).toHaveLength(1);
    expect(linksIn(linesOf(link("mailto:a@example.test", "mail")))).toEqual(["mailto:a@example.test"]);
    const bad = [
      "javascript:alert(document.domain)",
      "JaVaScRiPt:alert(1)",
      "java\tscript:alert(1)",
      " javascript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "vbscript:msgbox(1)",
      "file:///etc/passwd",
      "//example.test/without-a-scheme",
      "https:example.test",
      'https://example.test/" onmouseover="alert(1)',
    ];
    for (const address of bad) {
      const lines = linesOf(link(address, "BAD"), "after\n");
      expect(linksIn(lines), address).toEqual([]);
      expect(lines.map(textOfLine)).toContain("after");
    }
  });

  test("[SEC-4] a link's address is written out, so that it cannot look like another host", () => {
    expect(safeAddress("https://аpple.com/")).toBe("https://xn--pple-43d.com/");
    expect(safeAddress("https://example.test@evil.test/")).toBe("https://example.test@evil.test/");
  });

  test("[SEC-4] markup is text, the window's title is not changed, an unterminated link swallows no line", () => {
    const html = '<script>alert("plain html")</script><img src=x onerror=alert(1)> a -> b && c < d';
    expect(textsOf(`${html}\n`)).toEqual([html]);
    expect(textsOf(`${ESC}]0;new window title${BEL} title escape before this\n`)).toEqual([
      " title escape before this",
    ]);
    const lines = linesOf(`${ESC}]8;;https://example.test/unterminated\nthis line must still be visible\n`);
    expect(lines.map(textOfLine)).toEqual(["", "this line must still be visible"]);
    expect(linksIn(lines)).toEqual([]);
  });

  test("[SEC-4] colours out of range and huge numbers leave no stray bytes", () => {
    expect(textsOf(`${ESC}[38;2;300;-1;999mbad colour${ESC}[0m ${ESC}[9999999999m huge number\n`)).toEqual([
      "bad colour  huge number",
    ]);
  });
});

describe("laws", () => {
  const junk = fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        ESC,
        BEL,
        "\r",
        "\n",
        "\b",
        "\t",
        "\u0000",
        "\u009b",
        "[",
        "]8;;",
        "[31m",
        "[2K",
        "\\",
        "m",
        ";",
        "P",
        "👍",
      ),
      fc.webUrl(),
    ),
    { maxLength: 40 },
  );

  test("[SEC-4][B12] whatever an agent writes, reading never throws and no control character is shown", () => {
    fc.assert(
      fc.property(junk, (pieces) => {
        for (const text of textsOf(...pieces)) {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
          expect(text).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
        }
      }),
    );
  });

  test("[LOG-4][R6] how the text was cut on its way does not matter", () => {
    fc.assert(
      fc.property(junk, (pieces) => {
        expect(styled(linesOf(...pieces))).toEqual(styled(linesOf(pieces.join(""))));
      }),
    );
  });
});

/** Lines as what is seen: neighbouring spans of one style are one. */
function styled(lines: readonly Line[]): unknown {
  return lines.map(({ spans, goesOn }) => {
    const merged: { text: string; style: string }[] = [];
    for (const { text, style } of spans) {
      const last = merged.at(-1);
      if (last?.style === JSON.stringify(style)) last.text += text;
      else merged.push({ text, style: JSON.stringify(style) });
    }
    return { merged, goesOn };
  });
}
