/** Reads a piece of a session's kept output: from an offset on, or what ends at one. */
import { apiFetch, outputAddress } from "../api";

export type KeptWish =
  | { readonly offset: number; readonly limit: number }
  | { readonly before: number; readonly limit: number };

export interface KeptPiece {
  readonly offset: number;
  /** Where what follows begins; not `offset` + length where the line that stands for left-out output is among the bytes. */
  readonly next: number;
  readonly bytes: Uint8Array;
}

/** Throws a sentence for people, whatever went wrong; after an abort nobody shows it. */
export async function readKept(sessionId: string, wish: KeptWish, signal?: AbortSignal): Promise<KeptPiece> {
  try {
    const response = await apiFetch(outputAddress(sessionId, wish), { signal });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { headers } = response;
    return { offset: Number(headers.get("x-offset")), next: Number(headers.get("x-next-offset")), bytes };
  } catch (cause) {
    throw new Error("The output could not be read. Try again.", { cause });
  }
}
