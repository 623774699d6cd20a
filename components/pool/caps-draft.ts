/** What is typed over the caps that stand, and nothing else: a cap that somebody else changes meanwhile is shown as it is. Pure. */
import type { PoolPicture } from "@/server/contract/pool";
import { capMistake } from "./cap";
import type { CapsWish } from "./effect";

export interface CapsDraft {
  /** As typed; null: as it stands. */
  readonly globalMax: string | null;
  readonly perUserMax: string | null;
  /** Exceptions as typed, by person; null: taken away. */
  readonly limits: Readonly<Record<string, string | null>>;
}

export const EMPTY_CAPS_DRAFT: CapsDraft = { globalMax: null, perUserMax: null, limits: {} };

export function capsOf({ global, perUserMax, limits }: PoolPicture): CapsWish {
  return { globalMax: global.max, perUserMax, limits };
}

/** Without what stands already, so that what was saved is no change any more. */
export function withoutSame(draft: CapsDraft, caps: CapsWish): CapsDraft {
  const limits = Object.entries(draft.limits).filter(([userId, text]) => {
    const stands = caps.limits[userId];
    return text === null ? stands !== undefined : stands === undefined || !says(text, stands);
  });
  const { globalMax, perUserMax } = draft;
  return {
    globalMax: globalMax !== null && says(globalMax, caps.globalMax) ? null : globalMax,
    perUserMax: perUserMax !== null && says(perUserMax, caps.perUserMax) ? null : perUserMax,
    limits: Object.fromEntries(limits),
  };
}

export function isEmptyDraft({ globalMax, perUserMax, limits }: CapsDraft): boolean {
  return globalMax === null && perUserMax === null && Object.keys(limits).length === 0;
}

/** The exceptions there would be, as typed or as they stand. */
export function exceptionsIn(draft: CapsDraft, caps: CapsWish): readonly (readonly [userId: string, text: string])[] {
  const standing = Object.entries(caps.limits).map(([userId, max]) => [userId, String(max)] as const);
  const all = Object.entries({ ...Object.fromEntries(standing), ...draft.limits });
  return all.flatMap(([userId, text]) => (text === null ? [] : [[userId, text] as const]));
}

/** The caps there would be; null while something typed is none. */
export function wishOf(draft: CapsDraft, caps: CapsWish): CapsWish | null {
  const globalMax = draft.globalMax ?? String(caps.globalMax);
  const perUserMax = draft.perUserMax ?? String(caps.perUserMax);
  const exceptions = exceptionsIn(draft, caps);
  const isValid = [globalMax, perUserMax, ...exceptions.map(([, text]) => text)].every(
    (text) => capMistake(text) === null,
  );
  if (!isValid) return null;
  const limits = Object.fromEntries(exceptions.map(([userId, text]) => [userId, Number(text)]));
  return { globalMax: Number(globalMax), perUserMax: Number(perUserMax), limits };
}

function says(text: string, cap: number): boolean {
  return capMistake(text) === null && Number(text) === cap;
}
