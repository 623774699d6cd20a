/**
 * Finds secrets in a stream of bytes, in whatever mixture of escapes they are written (A3). An automaton: at each byte it
 * knows all the ways in which what it saw may go on. Steps are thought about when they come up and remembered, so a byte
 * costs one look-up however many ways there are to write a secret.
 * Positions count from the first byte that was not forgotten.
 */
import type { Form, Writing } from "./secret-forms";

interface Occurrence {
  readonly start: number;
  /** Behind its last byte. */
  readonly end: number;
}

/** What may become a secret: this many characters of a form were seen, and of the next one's writing this many bytes. */
interface Trail {
  /** How many bytes ago it began. */
  readonly age: number;
  readonly form: number;
  readonly characters: number;
  readonly writing: Writing | null;
  readonly bytes: number;
}

interface State {
  /** Oldest first. Of two trails at the same place of a form only the older one is kept: it covers what the other would. */
  readonly trails: readonly Trail[];
  /** How many bytes ago the secrets began that are complete here. */
  readonly found: readonly number[];
  readonly next: (State | undefined)[];
}

/** Remembered states, of a few KB each; beyond it all are forgotten and thought about again. */
const STATES_MAX = 1_000;

export function createFinder(forms: readonly Form[]) {
  const stepFrom = createSteps(forms);
  const states = new Map<string, State>();
  const nameOf = createNames();
  let state: State = { trails: [], found: [], next: [] };
  let looked = 0;
  /** Start → end of the longest one that was found there. */
  const found = new Map<number, number>();

  function makeNext(from: State, byte: number): State {
    const made = stepFrom(from.trails, byte);
    const name = nameOf(made);
    const known = states.get(name);
    if (known === undefined && states.size >= STATES_MAX) {
      // What is remembered leads from state to state, so all of it goes at once.
      for (const each of states.values()) each.next.length = 0;
      states.clear();
    }
    const next = known ?? { ...made, next: [] };
    states.set(name, next);
    from.next[byte] = next;
    return next;
  }

  return {
    /** Looks at the bytes from `from` on; those before it were seen already. */
    look(data: Uint8Array, from: number): void {
      for (let at = from; at < data.length; at++) {
        const byte = data[at] ?? 0;
        state = state.next[byte] ?? makeNext(state, byte);
        for (const age of state.found) found.set(at + 1 - age, at + 1);
      }
      looked = data.length;
    },
    /** The first byte that may still become part of a secret; behind the last one when there is none. */
    openFrom: (): number => looked - (state.trails[0]?.age ?? 0),
    /** The occurrences that start before this byte, in their order; each is told once. */
    takeFound(before: number): Occurrence[] {
      const taken = [...found].map(([start, end]) => ({ start, end })).filter(({ start }) => start < before);
      for (const { start } of taken) found.delete(start);
      return taken.sort((one, other) => one.start - other.start);
    },
    /** The first so many bytes are gone: the next one is number 0. */
    forget(bytes: number): void {
      looked -= bytes;
      const kept = [...found];
      found.clear();
      for (const [start, end] of kept) found.set(start - bytes, end - bytes);
    },
  };
}

/** From all trails, and a byte behind them, to those that go on and the secrets that end with it. */
function createSteps(forms: readonly Form[]) {
  const formsAt = new Map<number, number[]>();
  for (const [number, [first]] of forms.entries()) {
    for (const byte of first?.keys() ?? []) formsAt.set(byte, [...(formsAt.get(byte) ?? []), number]);
  }

  return (trails: readonly Trail[], byte: number): Omit<State, "next"> => {
    const next: Trail[] = [];
    const found: number[] = [];
    const reached = new Set<string>();
    const goOn = ({ age, form, characters }: Trail, writing: Writing, bytes: number) => {
      if (bytes < writing.bytes.length) {
        next.push({ age: age + 1, form, characters, writing, bytes });
        return;
      }
      const place = `${form} ${characters}`;
      if (reached.has(place)) return;
      reached.add(place);
      if (characters + 1 === forms[form]?.length) found.push(age + 1);
      else next.push({ age: age + 1, form, characters: characters + 1, writing: null, bytes: 0 });
    };
    const begin = (trail: Trail) => {
      for (const writing of forms[trail.form]?.[trail.characters]?.get(byte) ?? []) goOn(trail, writing, 1);
    };
    for (const trail of trails) {
      const { writing, bytes } = trail;
      if (writing === null) begin(trail);
      else if (writing.bytes[bytes] === byte || writing.orBytes[bytes] === byte) goOn(trail, writing, bytes + 1);
    }
    for (const form of formsAt.get(byte) ?? []) begin({ age: 0, form, characters: 0, writing: null, bytes: 0 });
    return { trails: next, found };
  };
}

/** Two states with one name go on in the same way. */
function createNames() {
  const numbers = new Map<Writing | null, number>();
  const numberOf = (writing: Writing | null): number => {
    const number = numbers.get(writing) ?? numbers.size;
    numbers.set(writing, number);
    return number;
  };
  return ({ trails, found }: Omit<State, "next">): string => {
    const all = trails.map(({ age, form, characters, writing, bytes }) => [
      age,
      form,
      characters,
      numberOf(writing),
      bytes,
    ]);
    return `${found.join()} ${all.join()}`;
  };
}
