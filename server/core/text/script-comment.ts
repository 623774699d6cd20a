/** Words for a `shell` agent, which runs its prompt as a script. Pure. */

/** Nothing of it is run by a shell. */
export function asScriptComment(text: string): string {
  return text.replaceAll("\r", " ").replace(/^/gm, "# ");
}

/** There are comments and blank lines only, or nothing at all. */
export function runsNothing(script: string): boolean {
  return script.split("\n").every((line) => /^\s*(#|$)/.test(line));
}
