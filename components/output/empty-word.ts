/** What stands where a session has printed nothing so far. */
export function emptyWord(isWhole: boolean, isKnown: boolean, isOver: boolean): string {
  if (isWhole) return "The agent wrote nothing.";
  return isOver && !isKnown ? "Reading the output…" : "No output yet.";
}
