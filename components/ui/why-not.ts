/**
 * For a button that cannot be pressed now for a reason: it is not `disabled`, so that the keyboard gets there and readers of
 * the screen read the reason out; to press it says the reason, for there is nothing to hover over with a finger.
 */
import { toast } from "./toast";

export function pressable(why: string | null, press: () => void) {
  if (why === null) return { onClick: press };
  const sayWhy = () => toast({ icon: "alert", text: why });
  return { "aria-disabled": true, "aria-description": why, title: why, onClick: sayWhy } as const;
}
