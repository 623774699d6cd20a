/**
 * Words between servers on one database (P19). Said after the commit that made them true; each may be lost without harm,
 * because whoever hears one only looks sooner at what is in the rows.
 */

import type { FeedWord } from "./feed";
import type { PoolWord } from "./pool-link";

export type Word =
  | { readonly kind: "pool"; readonly word: PoolWord }
  | { readonly kind: "feed"; readonly from: string; readonly word: FeedWord };

export interface Gossip {
  /** Everybody hears everything, their own words too. Answers how to stop. */
  hear(listener: (word: Word) => void): () => void;
  /** Called whenever words may have been missed: what they would have said has to be looked up. */
  missed(listener: () => void): () => void;
  /** Never waited for and never fails. */
  say(word: Word): void;
  close(): Promise<void>;
}
