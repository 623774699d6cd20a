/** Gives a session's whole output to the browser as a file: read piece by piece, because one answer is at most 8 MiB. */
import { apiFetch, outputAddress } from "../api";

/** Kept output is at most 50 MB (R6) and a line that tells of the hole; whoever answers more is wrong. */
const SAVED_MAX_BYTES = 64_000_000;

export async function saveOutput(sessionId: string, fileName: string): Promise<void> {
  saveBlob(await readWhole(sessionId), fileName);
}

export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

async function readWhole(sessionId: string): Promise<Blob> {
  const parts: ArrayBuffer[] = [];
  let offset = 0;
  let read = 0;
  while (read < SAVED_MAX_BYTES) {
    const response = await apiFetch(outputAddress(sessionId, { offset }));
    if (!response.ok) throw new Error("The output could not be read. Try again.");
    const bytes = await response.arrayBuffer();
    const next = Number(response.headers.get("x-next-offset"));
    parts.push(bytes);
    read += bytes.byteLength;
    if (bytes.byteLength === 0 || !(next > offset) || response.headers.get("x-complete") === "true") break;
    offset = next;
  }
  return new Blob(parts, { type: "text/plain;charset=utf-8" });
}
