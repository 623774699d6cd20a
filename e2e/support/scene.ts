/** A board with a card in every state, so that every page has something to show. */
import type { Task } from "../../server/contract/tasks";
import { type Gate, makeGate } from "./agents";
import type { Camelot } from "./camelot";
import { Person } from "./person";
import { makeRepository } from "./repository";

export interface Scene {
  readonly ann: Person;
  readonly ben: Person;
  readonly projectId: string;
  /** Cards by what became of them. */
  readonly tasks: Readonly<
    Record<"backlog" | "waiting" | "running" | "succeeded" | "failed" | "stopped" | "done", Task>
  >;
  /** Lets everything that runs end. */
  readonly end: () => void;
}

const LONG_TITLE = "Averylongtitlewithoutasinglegap".repeat(6);
const TURNED_TITLE = "Pay the \u202eecived\u202c out 🚀 לשלם";
const CHANGES = [
  'for i in $(seq 40); do echo "line $i" >> src.txt; done',
  "printf '\\033[32mgreen\\033[0m and \\033[1;31mred\\033[0m\\n'",
  "echo 'A quite long line that has to be wrapped on a narrow screen, with/a/path/that/has/no/gaps/at/all/and/goes/on'",
  "echo changed >> README.md",
].join("\n");

/** Ann is the administrator and owns the project; Ben is a member. Ann has other projects besides. */
export async function makeScene(camelot: Camelot): Promise<Scene> {
  const ann = await Person.signUp(camelot, "Ann");
  const ben = await Person.signUp(camelot, "Benedikta Mustermann von Hohenstein");
  await ann.makeProject("Aardvark", makeRepository(camelot.dataDir, "aardvark"));
  const { id: projectId } = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
  await ann.makeProject("Zebra", makeRepository(camelot.dataDir, "zebra"));
  await ann.addMember(projectId, ben);
  await ann.must("POST", "/agents", {
    name: "A program of our own",
    kind: "command",
    projectId,
    settings: { argv: ["no-such-program-here", "--prompt", "{{prompt}}"], promptVia: "argument" },
  });
  const make = (title: string, prompt: string) => ann.makeTask(projectId, title, prompt);

  const succeeded = await make("Write forty lines", CHANGES);
  const failed = await make("Fails at once", "echo it goes wrong >&2; exit 3");
  for (const { id } of [succeeded, failed]) await ended(ann, await ann.dispatch(id));
  const done = await make("Put away", "echo fine > fine.txt");
  await ended(ann, await ann.dispatch(done.id));
  await ann.must("POST", `/tasks/${done.id}/move`, { column: "done" });
  const stopped = await make("Is stopped", "echo begun; sleep 600");
  const { session } = await ann.dispatch(stopped.id);
  await until(async () => (await ann.output(session.id)).includes("begun"));
  await ann.must("POST", `/sessions/${session.id}/cancel`);
  await ended(ann, { session });

  const gates: Gate[] = ["one", "two", "three", "four"].map((name) => makeGate(camelot.dataDir, name));
  const backlog = await make(TURNED_TITLE, "Not a script yet.\n\u202eneither\u202c this");
  await make(LONG_TITLE, LONG_TITLE.repeat(3));
  const running = await make("Runs until it is let go", gates[0]?.script ?? "");
  const second = await make("Runs beside it", gates[1]?.script ?? "");
  const waiting = await make("Waits for a seat", gates[2]?.script ?? "");
  const last = await make(`Waits behind it, ${TURNED_TITLE}`, gates[3]?.script ?? "");
  for (const { id } of [running, second, waiting, last]) await ann.dispatch(id);
  const bens = await ben.makeTask(projectId, "Is somebody else’s", gates[0]?.script ?? "");
  await ben.dispatch(bens.id);
  const end = () => {
    for (const gate of gates) gate.open();
  };
  return { ann, ben, projectId, tasks: { backlog, waiting, running, succeeded, failed, stopped, done }, end };
}

async function ended(person: Person, { session: { id } }: { session: { id: string } }): Promise<void> {
  await until(async () => (await person.session(id)).finishedAt !== null);
}

async function until(isSo: () => Promise<boolean>, limitMs = 90_000): Promise<void> {
  const late = Date.now() + limitMs;
  while (!(await isSo())) {
    if (Date.now() > late) throw new Error(`Not so after ${limitMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
