/** Whether keys of one letter act (WCAG 2.1.4): of this browser, switched on the account page. */

const KEY = "camelot.letter-keys";

export function hasLetterKeys(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

/** False when the browser keeps nothing. */
export function keepLetterKeys(isOn: boolean): boolean {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
    return true;
  } catch {
    return false;
  }
}
