/**
 * What goes to other servers with a commit of the writer (P13, P19): which newcomers memory holds from now on, answers to what
 * they asked, and, while anybody follows, of which version the rows are after it. All in the commit's own statement, so that
 * nothing is told that did not happen and nothing that happened is told late.
 */

import type { Decision } from "../../../core/pool";
import type { AnswerTo, OrderKind } from "../../../core/pool/events";
import type { PoolChange } from "../../../core/pool/picture";
import type { Millis, SessionId } from "../../../core/words";
import type { Beside, Told, WishAnswer } from "../../../ports/pool-link";
import type { Letter } from "../writer/mailbox";

export interface Telling {
  readonly letters: readonly Letter[];
  readonly decision: Decision;
  readonly answerOf: (letter: Letter, answer: AnswerTo<OrderKind>) => AnswerTo<OrderKind>;
  /** Null: the picture stays the same. */
  readonly change: Omit<PoolChange, "snapshot"> | null;
  /** Version and time of the picture after the commit. */
  readonly picture: { readonly version: number; readonly at: Millis };
}

export class PoolTeller {
  /** Newcomers in memory whose rows do not say so yet. */
  readonly newcomers = new Set<SessionId>();
  #isFollowed = false;
  #toldVersion: number | null = null;

  /** A term begins: who follows has to be found out again. */
  begin(): void {
    this.newcomers.clear();
    this.#isFollowed = false;
    this.#toldVersion = null;
  }

  /** Memory was read from rows: nobody can follow from what was told before. */
  reread(newcomers: readonly SessionId[] = []): void {
    for (const id of newcomers) this.newcomers.add(id);
    this.#toldVersion = null;
  }

  /** Answers whether that is news. From now on every version is told until the term ends. */
  follow(): boolean {
    const isNew = !this.#isFollowed;
    this.#isFollowed = true;
    return isNew;
  }

  /** Null: nothing has to be said. */
  beside(telling: Telling): Beside | null {
    const { letters, decision, answerOf } = telling;
    const { ends, changes } = decision.writes;
    const written = new Set([...ends.map(({ sessionId }) => sessionId), ...changes.map(({ row }) => row.id)]);
    const arrived = letters.flatMap(({ order }) => (order.kind === "take-in" ? [order.row.id] : []));
    const held = [...this.newcomers, ...arrived].filter((id) => decision.state.sessions.has(id));
    const takenIn = [...new Set(held)].filter((id) => !written.has(id));
    const answers = letters.flatMap((letter, i) => {
      const answer = decision.answers[i];
      if (letter.wishId === null || answer === undefined) return [];
      return [{ id: letter.wishId, answer: { kind: "done", answer: answerOf(letter, answer) } as WishAnswer }];
    });
    const told = this.#told(telling, takenIn);
    return takenIn.length + answers.length > 0 || told ? { takenIn, answers, told } : null;
  }

  /** The commit is done. */
  done(beside: Beside | null): void {
    // What the commit did not mark it has changed or ended, or it was gone before.
    this.newcomers.clear();
    if (beside?.told) this.#toldVersion = beside.told.version;
  }

  #told({ decision, change, picture }: Telling, takenIn: readonly SessionId[]): Told | null {
    if (!this.#isFollowed || (change === null && this.#toldVersion !== null)) return null;
    const { isOpen, isDiskShort } = decision.state;
    const { ends, inserts, changes, users } = decision.writes;
    const sessions = [
      ...ends.map(({ sessionId }) => sessionId),
      ...inserts.map(({ row }) => row.id),
      ...changes.map(({ row }) => row.id),
      ...takenIn,
    ];
    const touched = change?.touched ?? "all";
    const said = {
      sessions,
      moved: change?.moved.map(({ sessionId }) => sessionId) ?? [],
      users: users.map(({ userId }) => userId),
      touched: touched === "all" ? [] : [...touched],
      isAll: touched === "all",
    };
    const { version, at } = picture;
    return { version, since: this.#toldVersion, at: Math.round(at), isOpen, isDiskShort, changes: said };
  }
}
