/** A command as an agent meant it: some tell it as the shell's argument it becomes, `/bin/bash -lc "…"`. Pure. */

const WRAPPED = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c (?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([\w./-]+))$/;

/** What the shell is given, unquoted; anything else as it stands. */
export function withoutShell(command: string): string {
  const [, single, double, bare] = WRAPPED.exec(command) ?? [];
  if (double === undefined) return single ?? bare ?? command;
  // A dollar or a backquote that is not escaped would be the outer shell's: then it says more than the inner command.
  if (/(?<!\\)(?:\\\\)*[$`]/.test(double)) return command;
  return double.replace(/\\(["\\$`])/g, "$1");
}
