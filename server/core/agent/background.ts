/**
 * What an agent started and did not wait for, told to people: a command, a helper. Its turn is over and this still runs.
 */

/** Longest name of one thing in characters, and how many are named. */
const NAME_MAX = 100;
const NAMED_MAX = 5;

/** How the sentence begins by which people are told that something did not come to its end. */
const ENDED_WITH_SESSION = "This still ran in the background and was ended with the session: ";

export function waitsSentence(running: readonly string[]): string {
  return `Waits for what runs in the background: ${namesOf(running)}`;
}

export function endedSentence(running: readonly string[]): string {
  return `${ENDED_WITH_SESSION}${namesOf(running)}`;
}

/** What was ended with the session, from what its agent did last (`Summary.lastAction`); null: nothing that is known. */
export function endedWithSession(lastAction: string | null): string | null {
  return lastAction?.startsWith(ENDED_WITH_SESSION) ? lastAction : null;
}

function namesOf(running: readonly string[]): string {
  const names = running.slice(0, NAMED_MAX).map(nameOf);
  const left = running.length - names.length;
  return [...names, ...(left > 0 ? [`${left} more`] : [])].join(", ");
}

function nameOf(what: string): string {
  const name = Array.from(what.replace(/\s+/g, " ").trim());
  return name.length <= NAME_MAX ? name.join("") : `${name.slice(0, NAME_MAX - 1).join("")}…`;
}
