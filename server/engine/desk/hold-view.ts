/** A hold (A8) in the contract's shape. */
import { type Hold, iso } from "../../contract/common";
import type { StoredHold } from "../../ports/hold-store";

export function holdView(hold: StoredHold | undefined): Hold | null {
  return hold === undefined ? null : { detail: hold.detail, until: hold.until === null ? null : iso(hold.until) };
}
