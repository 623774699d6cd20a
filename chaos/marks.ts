/** The marks that the agents of a run left outside of the product: who started and came to its end, and when. Pure. */

export interface Mark {
  readonly kind: "start" | "end";
  readonly sessionId: string;
  readonly attempt: number;
  /** Microseconds since 1970, of the agent's own clock. */
  readonly at: number;
  readonly token: string;
}

const LINE = /^(start|end) [0-9a-f]+\.([A-Za-z0-9_-]+)\.(\d+) (\d+) (\d+) (\S+)$/;

/** Throws at a line that no agent wrote: then nothing that is concluded from the marks would be worth anything. */
export function marksFrom(text: string): Mark[] {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("The last mark is torn.");
  return lines.map((line) => {
    const [, kind, sessionId = "", attempt, at, , token = ""] = LINE.exec(line) ?? [];
    if (kind !== "start" && kind !== "end") throw new Error(`No mark: ${line}`);
    return { kind, sessionId, attempt: Number(attempt), at: Number(at), token };
  });
}
