/** What colours and weights a terminal program has chosen for what it writes next (SGR). Pure; junk changes nothing. */

export interface TextStyle {
  /** CSS colours; null: the terminal's own. */
  readonly front: string | null;
  readonly back: string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isStruck: boolean;
  readonly isInverse: boolean;
  /** A harmless address (`safeAddress`), or null. */
  readonly link: string | null;
}

export const PLAIN: TextStyle = {
  front: null,
  back: null,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isInverse: false,
  link: null,
};

const CHANGES: Readonly<Record<number, Partial<TextStyle>>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
  39: { front: null },
  49: { back: null },
};

/** The style after `ESC [ parameters m`. */
export function styleAfter(style: TextStyle, parameters: string): TextStyle {
  const codes = parameters.split(/[;:]/).map((text) => (text === "" ? 0 : Number(text)));
  let next = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extendedColour(codes, at + 1);
      if (colour !== null) next = { ...next, [code === 38 ? "front" : "back"]: colour };
      at += used;
      continue;
    }
    next = code === 0 ? { ...PLAIN, link: next.link } : { ...next, ...(CHANGES[code] ?? basicColour(code)) };
  }
  return isPlain(next) ? PLAIN : next;
}

/** The style after a link begins or ends. */
export function linked(style: TextStyle, link: string | null): TextStyle {
  const next = { ...style, link };
  return isPlain(next) ? PLAIN : next;
}

function isPlain(style: TextStyle): boolean {
  return Object.entries(PLAIN).every(([name, value]) => style[name as keyof TextStyle] === value);
}

function basicColour(code: number): Partial<TextStyle> {
  if (code >= 30 && code <= 37) return { front: named(code - 30) };
  if (code >= 90 && code <= 97) return { front: named(code - 82) };
  if (code >= 40 && code <= 47) return { back: named(code - 40) };
  if (code >= 100 && code <= 107) return { back: named(code - 92) };
  return {};
}

/** `5;n` or `2;r;g;b`. `used`: how many codes belong to it. */
function extendedColour(codes: readonly number[], at: number): { colour: string | null; used: number } {
  if (codes[at] === 5) return { colour: ofTable(codes[at + 1] ?? -1), used: 2 };
  if (codes[at] !== 2) return { colour: null, used: 0 };
  const [red = -1, green = -1, blue = -1] = codes.slice(at + 1, at + 4);
  const isColour = [red, green, blue].every((part) => part >= 0 && part <= 255);
  return { colour: isColour ? `rgb(${red} ${green} ${blue})` : null, used: 4 };
}

/** The table of 256: 16 named ones, a cube of 6 × 6 × 6, 24 greys. */
function ofTable(index: number): string | null {
  if (!(index >= 0 && index <= 255)) return null;
  if (index < 16) return named(index);
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return `rgb(${step(Math.floor(cube / 36))} ${step(Math.floor(cube / 6) % 6)} ${step(cube % 6)})`;
}

/** Defined in `output.css`, readable on the terminal's ground. */
function named(index: number): string {
  return `var(--ansi-${index})`;
}
