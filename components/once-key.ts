/**
 * The `Idempotency-Key` of something that shall be made once, although its answer may be lost: asked again with the same
 * body it has the same key; another body, or whatever is made after it came about, has another.
 */
export interface OnceKey {
  forBody(body: unknown): string;
  /** It has come about. */
  forget(): void;
}

export function createOnceKey(): OnceKey {
  let held: { readonly body: string; readonly key: string } | null = null;
  return {
    forBody(body) {
      const text = JSON.stringify(body);
      if (held?.body !== text) held = { body: text, key: randomKey() };
      return held.key;
    },
    forget() {
      held = null;
    },
  };
}

/** Pages without https have no `randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
