/**
 * Replaces secrets in a stream of bytes before anything is stored (A3). Works across chunk borders: only bytes that may be
 * the beginning of a secret are held back, and they stay held until it is decided what they are.
 * Never looks at characters: output may be anything, a secret is found byte by byte.
 *
 * Every occurrence is covered, overlapping ones too: what is masked is the union of all of them, and each union becomes
 * one `***`, however the stream was cut into chunks.
 */
import { formsOfSecrets } from "./secret-forms";

export const MASK = "***";

export interface Masker {
  /** Takes the next bytes and returns those that are decided; the rest waits for more. */
  push(bytes: Uint8Array): Uint8Array;
  /** The stream is over: returns what was still held back. */
  end(): Uint8Array;
}

export function createMasker(secrets: readonly string[]): Masker {
  const forms = formsOfSecrets(secrets);
  return forms.length === 0 ? PASS_THROUGH : createSearchingMasker(forms);
}

/** Masks one finished text, for example a message for people. */
export function maskText(text: string, secrets: readonly string[]): string {
  const masker = createMasker(secrets);
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(concat(masker.push(bytes), masker.end()));
}

const NOTHING = new Uint8Array(0);

const PASS_THROUGH: Masker = { push: (bytes) => bytes, end: () => NOTHING };

const MASK_BYTES = new TextEncoder().encode(MASK);

function createSearchingMasker(forms: readonly Uint8Array[]): Masker {
  const index = indexByBeginning(forms);
  let held: Uint8Array = NOTHING;
  /** How many bytes at the beginning of `held` belong to an occurrence that was already found and written as a mask. */
  let covered = 0;

  const step = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
    const data = held.length === 0 ? bytes : concat(held, bytes);
    const out = createCollector(data);
    let maskedUntil = covered;
    let position = 0;
    for (; position < data.length; position++) {
      const look = index.lookAt(data, position);
      if (look.isOpen && !isLast) break;
      if (look.length > 0) {
        if (position >= maskedUntil) out.mask();
        maskedUntil = Math.max(maskedUntil, position + look.length);
      }
      if (position >= maskedUntil) out.keep(position);
    }
    // A copy, because the caller may use its buffer again.
    held = data.slice(position);
    covered = Math.max(0, maskedUntil - position);
    return out.bytes();
  };

  return { push: (bytes) => step(bytes, false), end: () => step(NOTHING, true) };
}

interface Look {
  /** Length of the longest form that stands here in full; 0 when there is none. */
  readonly length: number;
  /** The data ends inside a form that is longer than what was found: more bytes have to decide. */
  readonly isOpen: boolean;
}

const NOTHING_HERE: Look = { length: 0, isOpen: false };
const MAYBE_MORE: Look = { length: 0, isOpen: true };

/** Finds forms by their first two bytes, so ordinary output costs one table look-up per byte. */
function indexByBeginning(forms: readonly Uint8Array[]) {
  const byFirstTwo = new Map<number, Uint8Array[]>();
  const isFirst = new Uint8Array(256);
  const isFirstTwo = new Uint8Array(65_536);
  for (const form of forms) {
    const [first = 0, second = 0] = form;
    const key = (first << 8) | second;
    isFirst[first] = 1;
    isFirstTwo[key] = 1;
    const same = byFirstTwo.get(key);
    if (same) same.push(form);
    else byFirstTwo.set(key, [form]);
  }
  return {
    lookAt(data: Uint8Array, position: number): Look {
      const first = data[position] ?? 0;
      if (isFirst[first] === 0) return NOTHING_HERE;
      if (position + 1 === data.length) return MAYBE_MORE;
      const key = (first << 8) | (data[position + 1] ?? 0);
      return isFirstTwo[key] === 0 ? NOTHING_HERE : compareAll(byFirstTwo.get(key) ?? [], data, position);
    },
  };
}

function compareAll(forms: readonly Uint8Array[], data: Uint8Array, position: number): Look {
  const available = data.length - position;
  let length = 0;
  let isOpen = false;
  for (const form of forms) {
    const toCompare = Math.min(form.length, available);
    let same = 2;
    while (same < toCompare && form[same] === data[position + same]) same++;
    if (same < toCompare) continue;
    if (toCompare < form.length) isOpen = true;
    else length = Math.max(length, form.length);
  }
  return length === 0 && !isOpen ? NOTHING_HERE : { length, isOpen };
}

/** Gathers what is kept as slices of the data: a chunk without a secret is passed on without a copy per byte. */
function createCollector(data: Uint8Array) {
  const parts: Uint8Array[] = [];
  let from = 0;
  let until = 0;
  const close = () => {
    if (until > from) parts.push(data.subarray(from, until));
  };
  return {
    keep(position: number): void {
      if (position !== until) {
        close();
        from = position;
      }
      until = position + 1;
    },
    mask(): void {
      close();
      parts.push(MASK_BYTES);
      from = until = -1;
    },
    bytes(): Uint8Array {
      close();
      return parts.length === 1 ? (parts[0] ?? NOTHING) : concat(...parts);
    },
  };
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
