/**
 * The forms in which a secret may turn up in output: as it is, and JSON-, URL- and base64-encoded (A3).
 * Decides nothing about streams; `masking.ts` looks for what this file lists.
 */

/** Shorter secrets are refused where they are entered: masking them would blank out ordinary words. */
export const SECRET_MIN_CHARS = 8;

/** Every byte sequence to look for, without doubles. Secrets that are too short have no forms. */
export function formsOfSecrets(secrets: readonly string[]): Uint8Array[] {
  const encoder = new TextEncoder();
  const forms = new Map<string, Uint8Array>();
  for (const secret of secrets.flatMap(withItsLines)) {
    if ([...secret].length < SECRET_MIN_CHARS) continue;
    for (const text of formsOf(secret, encoder)) {
      if (text.length >= SECRET_MIN_CHARS) forms.set(text, encoder.encode(text));
    }
  }
  return [...forms.values()];
}

/** A key of many lines is a secret line by line, too: an agent may print its first line alone. */
function withItsLines(secret: string): string[] {
  const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
  return lines.length === 1 ? [secret] : [secret, ...lines];
}

function formsOf(secret: string, encoder: TextEncoder): string[] {
  return [secret, ...jsonForms(secret), ...urlForms(secret), ...base64Forms(encoder.encode(secret))];
}

/** JSON as JavaScript, Python (`\u00e9`) and PHP (`\/`) write it, and once more inside a JSON string (tool results). */
function jsonForms(secret: string): string[] {
  const once = jsonEscape(secret);
  const ascii = once.replace(/[\u007f-\uffff]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`);
  const slashes = once.replaceAll("/", "\\/");
  return [once, ascii, slashes, jsonEscape(once), jsonEscape(ascii)];
}

function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Percent-encoded as browsers, forms and strict libraries do it, with large and small hexadecimal digits. */
function urlForms(secret: string): string[] {
  const component = encodeUriComponentSafely(secret);
  const strict = component.replace(/[!'()*]/g, (char) => `%${hex(char.charCodeAt(0), 2).toUpperCase()}`);
  const form = strict.replaceAll("%20", "+").replaceAll("~", "%7E");
  const withoutTilde = strict.replaceAll("~", "%7E");
  return [component, strict, form, withoutTilde].flatMap((text) => [text, text.replace(/%../g, toLowerCase)]);
}

function toLowerCase(text: string): string {
  return text.toLowerCase();
}

/** A lone surrogate has no UTF-8 form of its own and would make `encodeURIComponent` throw. */
function encodeUriComponentSafely(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(text)));
}

/**
 * Base64 of the secret alone and, as in `user:secret`, in the middle of something longer: there it starts at one of
 * three places within a group, and only the characters that all their bits take from the secret are known.
 */
function base64Forms(bytes: Uint8Array): string[] {
  const whole = toBase64(bytes);
  const forms = [whole, whole.replace(/=+$/, "")];
  for (const before of [0, 1, 2]) {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const firstKnown = Math.ceil((before * 8) / 6);
    const behindLastKnown = Math.floor((padded.length * 8) / 6);
    forms.push(toBase64(padded).slice(firstKnown, behindLastKnown));
  }
  return forms.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
