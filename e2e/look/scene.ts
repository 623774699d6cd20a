/** A working day in a small team: cards in every state, people who wait for different reasons, and words one might write. */
import type { Task } from "../../server/contract/tasks";
import { type Gate, makeGate } from "../support/agents";
import type { Camelot } from "../support/camelot";
import { Person } from "../support/person";
import { makeRepository } from "../support/repository";

export interface Day {
  readonly nora: Person;
  readonly projectId: string;
  /** Cards that the pictures open. */
  readonly tasks: { readonly running: Task; readonly waiting: Task; readonly review: Task };
  readonly end: () => void;
}

const LOOKED_AT = [
  'printf "\\033[2m$ npm test -- src/webhooks\\033[0m\\n"',
  'for test in signature replay backoff ordering; do printf "\\033[32m✓\\033[0m %s\\n" "$test"; done',
  "mkdir -p src/webhooks",
  "printf 'export const RETRIES = 5;\\nexport const FIRST_WAIT_MS = 500;\\n\\nexport function waitMs(attempt: number): number {\\n  return FIRST_WAIT_MS * 2 ** attempt;\\n}\\n' > src/webhooks/retry.ts",
  "sed -i '1s/.*/# The shop, with webhooks/' README.md",
  "echo 'Five retries, with twice the wait each time.'",
].join("\n");

export async function makeDay(camelot: Camelot): Promise<Day> {
  const nora = await Person.signUp(camelot, "Nora Lindqvist");
  const others = [];
  for (const name of ["Mira Okafor", "Sam Tanaka", "Jonas Weber"]) others.push(await Person.signUp(camelot, name));
  const [mira, sam, jonas] = others as [Person, Person, Person];
  const { id: projectId } = await nora.makeProject("Shop", makeRepository(camelot.dataDir));
  for (const other of others) await nora.addMember(projectId, other);
  const gates: Gate[] = [];

  const ends = async (person: Person, title: string, script: string) => {
    const task = await person.makeTask(projectId, title, script);
    const { session } = await person.dispatch(task.id);
    while ((await person.session(session.id)).finishedAt === null) await new Promise((next) => setTimeout(next, 50));
    return task;
  };
  const begins = async (person: Person, title: string) => {
    const gate = makeGate(camelot.dataDir, `work-${gates.length}`);
    gates.push(gate);
    const task = await person.makeTask(projectId, title, gate.script);
    await person.dispatch(task.id);
    return task;
  };

  const done = await ends(mira, "Show prices with and without tax", "echo tax > tax.txt");
  await mira.must("POST", `/tasks/${done.id}/move`, { column: "done" });
  const review = await ends(nora, "Retry webhooks that fail, with growing waits", LOOKED_AT);
  await ends(sam, "Upgrade the payment library", "echo 'Cannot find module payments/v3' >&2; exit 1");

  const running = await begins(nora, "Move the cart to the new address format");
  await begins(nora, "Say why a coupon is not accepted");
  const waiting = await begins(nora, "Write the migration guide for version 4");
  await begins(nora, "Remove the feature flags nobody uses");
  await begins(mira, "Find the slow query on the orders page");
  await begins(mira, "Make receipts readable for screen readers");
  await begins(mira, "Send an email when an order is late");
  await begins(sam, "Replace the date picker");
  await begins(jonas, "Add Finnish and Czech");

  const asBacklog = [
    [
      "Group search results by category",
      "The list is hard to scan. Group by category, the biggest first, and keep the order inside.",
    ],
    ["Keep the filter in the address", "A reload loses the filter. It belongs in the query string."],
    ["Delete carts nobody came back to", "After 90 days, in batches, and count what was deleted."],
  ] as const;
  for (const [title, prompt] of asBacklog) await jonas.makeTask(projectId, title, prompt);
  const end = () => {
    for (const gate of gates) gate.open();
  };
  return { nora, projectId, tasks: { running, waiting, review }, end };
}
