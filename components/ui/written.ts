/**
 * Text written by people, which may hold letters that cannot be seen and turn what stands around them. Pure. Whatever is
 * edited keeps them; what is only read goes through here.
 */

/** They force a direction on what follows: U+202A to U+202E, U+2066 to U+2069. */
const FORCED = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A title or a name: its own letters decide its direction. */
export function inOwnOrder(text: string): string {
  return text.replace(FORCED, "");
}

/** A prompt or a line of code, which may be run as it stands: what cannot be seen is written out. */
export function withoutDisguise(text: string): string {
  return text.replace(FORCED, (letter) => `[U+${letter.charCodeAt(0).toString(16).toUpperCase()}]`);
}
