"use client";
/** What is typed over what stands, and nothing else: others may change it meanwhile without taking away what one types. */
import { useState } from "react";

export interface Typed {
  /** As typed; where nobody typed, as it stands now. */
  readonly text: string;
  change(text: string): void;
  /** It was saved, or given up: what stands is shown again. */
  forget(): void;
}

export function useTyped(standing: string): Typed {
  const [typed, setTyped] = useState<string | null>(null);
  return { text: typed ?? standing, change: setTyped, forget: () => setTyped(null) };
}
