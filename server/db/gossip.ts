/**
 * Words between servers over LISTEN and NOTIFY. A subscription can be lost without anybody saying so, so each server says a word
 * to itself every two seconds: when it does not hear it, the subscription is made anew, and whoever listens is told that words
 * may have been missed.
 */
import { randomUUID } from "node:crypto";
import type { Gossip, Word } from "../ports/gossip";
import { earClient, mouthClient, type Sql } from "./client";

export const CHANNEL = "camelot";
/** For statements that tell in the same breath in which they commit. */
export const SAYS_TOLD = JSON.stringify({ kind: "pool", word: "told" } satisfies Word);
export const SAYS_RESIGNED = JSON.stringify({ kind: "pool", word: "resigned" } satisfies Word);

const CHECK_EVERY_MS = 2_000;
/** Words on their way at most; what is beyond them is not said. */
const UNSAID_MAX = 200;

export function createGossip(url: string): Gossip {
  const me = randomUUID();
  const listeners = new Set<(word: Word) => void>();
  const missed = new Set<() => void>();
  const mouth = mouthClient(url);
  let ear: Sql | null = null;
  let isHeard = false;
  let unsaid = 0;

  function subscribe(): void {
    const own = earClient(url);
    void ear?.end({ timeout: 0 }).catch(() => undefined);
    ear = own;
    const listening = () => {
      if (ear === own) for (const listener of missed) listener();
    };
    // A subscription that fails hears nothing, which the next check finds.
    own.listen(CHANNEL, (text) => ear === own && heard(text), listening).catch(() => undefined);
  }

  function heard(text: string): void {
    if (text === me) isHeard = true;
    const word = wordFrom(text);
    if (word) for (const listener of listeners) listener(word);
  }

  function send(text: string): void {
    if (unsaid >= UNSAID_MAX) return;
    unsaid += 1;
    mouth
      .notify(CHANNEL, text)
      .catch(() => undefined)
      .finally(() => {
        unsaid -= 1;
      });
  }

  subscribe();
  send(me);
  const check = setInterval(() => {
    if (!isHeard) subscribe();
    isHeard = false;
    send(me);
  }, CHECK_EVERY_MS);
  check.unref();

  return {
    hear(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    missed(listener) {
      missed.add(listener);
      return () => missed.delete(listener);
    },
    say: (word) => send(JSON.stringify(word)),
    async close() {
      clearInterval(check);
      const last = ear;
      ear = null;
      await Promise.all([last, mouth].map((client) => client?.end({ timeout: 1 })));
    },
  };
}

/** Null: not one of ours; a newer version may say more than we know. */
function wordFrom(text: string): Word | null {
  if (!text.startsWith("{")) return null;
  try {
    const word = JSON.parse(text) as Word;
    return word.kind === "pool" || word.kind === "feed" ? word : null;
  } catch {
    return null;
  }
}
