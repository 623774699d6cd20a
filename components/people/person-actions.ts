/** What administrators change about a person: role, and whether they may come in. Says first what ends (S6). */
import type { Person } from "@/server/contract/people";
import { client, refusalOf, sentenceOf } from "../api";
import { ask } from "../ui/ask";
import type { MenuEntry } from "../ui/menu";
import { toast } from "../ui/toast";

type Change = Parameters<typeof client.users.change>[0]["body"];

export function personMenu(person: Person, changed: () => Promise<unknown>): MenuEntry[] {
  const { name, role, active } = person;
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

async function deactivate(person: Person, changed: () => Promise<unknown>): Promise<void> {
  const isSure = await ask({
    title: `Deactivate ${person.name}?`,
    text: "They are signed out everywhere and their API tokens end. What they made stays, and they can be let in again.",
    yes: "Deactivate",
    no: "Cancel",
  });
  if (isSure) await applyChange(person, { active: false }, `${person.name} is deactivated`, changed);
}

/** Asks again when the server says what would end, in the server's words. */
async function applyChange(
  person: Person,
  change: Change,
  done: string,
  changed: () => Promise<unknown>,
  isConfirmed = false,
): Promise<void> {
  try {
    const query = isConfirmed ? { confirm: "true" as const } : {};
    await client.users.change({ params: { id: person.id }, query, body: change });
    toast({ icon: "check", text: done });
    await changed();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== "CONFIRM") {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
      return;
    }
    const title = `${person.name} has sessions`;
    if (await ask({ title, text: refusal.message, yes: "Deactivate", no: "Cancel" })) {
      await applyChange(person, change, done, changed, true);
    }
  }
}
