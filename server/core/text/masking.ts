/**
 * Replaces secrets in a stream of bytes before anything is stored (A3). Works across chunk borders: only bytes that may be
 * the beginning of a secret are held back, and they stay held until it is decided what they are.
 * Every byte is looked at once: what may become a secret is carried on from byte to byte and from chunk to chunk.
 *
 * Every occurrence is covered, overlapping ones too: what is masked is the union of all of them, and each union becomes
 * one `***`, however the stream was cut into chunks.
 */
import { concatBytes } from "./bytes";
import { createFinder } from "./secret-finder";
import { formsOfSecrets } from "./secret-forms";

export const MASK = "***";

export interface Masker {
  /** Takes the next bytes and returns those that are decided; the rest waits for more. */
  push(bytes: Uint8Array): Uint8Array;
  /**
   * Nothing has come for a while: returns what is held back if it is so little that it tells nothing of a secret, as the end
   * of a line that is one letter of a base64 text. It stays a part of what is looked for: what follows of a secret is masked.
   */
  settle(): Uint8Array;
  /** The stream is over: returns what was still held back. */
  end(): Uint8Array;
}

export function createMasker(secrets: readonly string[]): Masker {
  const forms = formsOfSecrets(secrets);
  return forms.length === 0 ? PASS_THROUGH : createSearchingMasker(createFinder(forms));
}

/** Masks one finished text, for example a message for people. */
export function maskText(text: string, secrets: readonly string[]): string {
  const masker = createMasker(secrets);
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(concatBytes([masker.push(bytes), masker.end()]));
}

const NOTHING = new Uint8Array(0);

/** So few bytes, an end of line among them, may be shown though they might begin a secret, which has 8 characters and more. */
const TELLS_NOTHING_BYTES = 3;

const PASS_THROUGH: Masker = { push: (bytes) => bytes, settle: () => NOTHING, end: () => NOTHING };

const MASK_BYTES = new TextEncoder().encode(MASK);

function createSearchingMasker(finder: ReturnType<typeof createFinder>): Masker {
  let held: Uint8Array = NOTHING;
  /** How many bytes at the beginning of `held` belong to an occurrence that was already found and written as a mask. */
  let covered = 0;
  /** How many bytes at the beginning of `held` were shown already. */
  let shown = 0;

  const step = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
    const data = held.length === 0 ? bytes : concatBytes([held, bytes]);
    finder.look(data, held.length);
    const decided = isLast ? data.length : finder.openFrom();
    const out = createCollector(data);
    let maskedUntil = covered;
    let position = shown;
    for (const { start, end } of finder.takeFound(decided)) {
      out.keep(Math.max(position, maskedUntil), start);
      if (start >= maskedUntil) out.mask();
      maskedUntil = Math.max(maskedUntil, end);
      position = Math.max(position, start);
    }
    out.keep(Math.max(position, maskedUntil), decided);
    // A copy, because the caller may use its buffer again.
    held = data.slice(decided);
    covered = Math.max(0, maskedUntil - decided);
    shown = Math.max(0, shown - decided);
    finder.forget(decided);
    return out.bytes();
  };

  return {
    push: (bytes) => step(bytes, false),
    settle() {
      const from = Math.max(covered, shown);
      if (held.length - covered > TELLS_NOTHING_BYTES) return NOTHING;
      shown = held.length;
      return held.slice(from);
    },
    end: () => step(NOTHING, true),
  };
}

/** Gathers what is kept as slices of the data: a chunk without a secret is passed on without a copy per byte. */
function createCollector(data: Uint8Array) {
  const parts: Uint8Array[] = [];
  return {
    keep(from: number, until: number): void {
      if (until > from) parts.push(data.subarray(from, until));
    },
    mask(): void {
      parts.push(MASK_BYTES);
    },
    bytes(): Uint8Array {
      return parts.length === 1 ? (parts[0] ?? NOTHING) : concatBytes(parts);
    },
  };
}
