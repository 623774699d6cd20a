/** What administrators change about a person: role, password, and whether they may come in. Says first what ends (S6). */
import type { Person } from "@/server/contract/people";
import { client, sentenceOf } from "../api";
import { type Confirmation, confirming } from "../confirming";
import { endingSentence } from "../pool/ending";
import { ask } from "../ui/ask";
import type { MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";

type Change = Parameters<typeof client.users.change>[0]["body"];

interface PersonMenuOptions {
  readonly changed: () => Promise<unknown>;
  /** Shows a new password; null for oneself, who has the Account page. */
  readonly showPassword: ((password: string) => void) | null;
}

/** Of the person, `running` and `queued` are as the pool has them now. */
export function personMenu(person: Person, { changed, showPassword }: PersonMenuOptions): MenuEntry[] {
  const { role, active } = person;
  const name = inSentence(person.name);
  const run = (change: Change, done: string) => () => void applyChange(person, change, done, changed);
  if (!active) {
    return [{ kind: "entry", icon: "undo", label: "Let in again", run: run({ active: true }, `${name} may sign in`) }];
  }
  const other: MenuEntry =
    role === "admin"
      ? { kind: "entry", icon: "down", label: "Make a member", run: run({ role: "member" }, `${name} is a member`) }
      : {
          kind: "entry",
          icon: "up",
          label: "Make an administrator",
          run: run({ role: "admin" }, `${name} is an administrator`),
        };
  return [
    other,
    ...(showPassword === null ? [] : [passwordEntry(person, showPassword)]),
    { kind: "rule" },
    {
      kind: "entry",
      icon: "off",
      label: "Deactivate…",
      isBad: true,
      run: () => void deactivate(person, changed),
    },
  ];
}

function passwordEntry(person: Person, show: (password: string) => void): MenuEntry {
  return { kind: "entry", icon: "pen", label: "New password…", run: () => void renewPassword(person, show) };
}

async function renewPassword({ id, name }: Person, show: (password: string) => void): Promise<void> {
  const isSure = await ask({
    title: `A new password for ${inSentence(name)}?`,
    text: "The old one is of no use any more, and every browser of theirs is signed out. Their agents and API tokens go on. The new one is shown once: send it yourself.",
    yes: "Make a new password",
    no: "Cancel",
  });
  if (!isSure) return;
  try {
    show((await client.users.renewPassword({ id })).password);
  } catch (error) {
    toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
  }
}

async function deactivate(person: Person, changed: () => Promise<unknown>): Promise<void> {
  const ending = endingSentence(person.running, person.queued);
  const isSure = await ask({
    title: `Deactivate ${inSentence(person.name)}?`,
    text: `They are signed out everywhere and their API tokens end. What they made stays, and they can be let in again.${ending}`,
    yes: "Deactivate",
    no: "Cancel",
  });
  if (!isSure) return;
  await applyChange(person, { active: false }, `${inSentence(person.name)} is deactivated`, changed, ending !== "");
}

async function applyChange(
  { id, name }: Person,
  change: Change,
  done: string,
  changed: () => Promise<unknown>,
  isSaid = false,
): Promise<void> {
  const again = { title: `${inSentence(name)} has sessions`, yes: "Deactivate", no: "Cancel" };
  try {
    const apply = (query: Confirmation) => client.users.change({ params: { id }, query, body: change });
    const isDone = await confirming(again, apply, isSaid);
    if (!isDone) return;
    toast({ icon: "check", text: done });
    await changed();
  } catch (error) {
    toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
  }
}
