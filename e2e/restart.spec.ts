/** A deploy or a `kill -9` loses nothing: who ran runs on with the same process, who waited waits in the same order. */
import { expect, test } from "@playwright/test";
import { makeGate, readLines, readPid } from "./support/agents";
import { BoardPage } from "./support/board-page";
import { Camelot } from "./support/camelot";
import { Person } from "./support/person";
import { makeRepository } from "./support/repository";

for (const how of ["kill -9", "Ctrl-C"] as const) {
  test(`[R3][R5][R6][P12][RST-1][RST-3] after ${how} and a start the same agents run, the order is kept, output has no gap`, async ({
    page,
    context,
  }) => {
    const camelot = await Camelot.start({ PER_USER_MAX: "2" });
    try {
      const ann = await Person.signUp(camelot, "Ann");
      await ann.enter(context);
      const project = await ann.makeProject("Shop", makeRepository(camelot.dataDir));
      const names = ["one", "two", "three", "four", "five"];
      const gates = names.map((name) => makeGate(camelot.dataDir, name));
      const sessions: string[] = [];
      for (const [index, gate] of gates.entries()) {
        const task = await ann.makeTask(project.id, `Task ${names[index]}`, gate.script);
        sessions.push((await ann.dispatch(task.id)).session.id);
      }
      const output = (index: number) => ann.output(sessions[index] ?? "");
      const board = await BoardPage.open(page, camelot, project.id);
      for (const index of [0, 1]) await expect.poll(() => output(index)).toContain(`${names[index]} line 3`);
      const pids = [readPid(await output(0), "one"), readPid(await output(1), "two")];

      await (how === "kill -9" ? camelot.kill() : camelot.leave());
      gates[1]?.open();
      await expect.poll(() => isAlive(pids[1] ?? 0)).toBe(false);
      await camelot.start();

      await expect(board.card(2)).toContainText("Succeeded");
      await expect(board.card(1)).toContainText("Running");
      await expect(board.card(3)).toHaveAttribute("data-column", "running");
      await expect(board.card(4)).toContainText("Queued · position 1");
      await expect(board.card(5)).toContainText("Queued · position 2");
      expect(isAlive(pids[0] ?? 0)).toBe(true);
      expect(readPid(await output(0), "one")).toBe(pids[0]);

      for (const gate of gates) gate.open();
      for (const number of [1, 3, 4, 5]) await expect(board.card(number)).toContainText("Succeeded");
      for (const [index, name] of names.entries()) {
        const whole = await output(index);
        const lines = readLines(whole, name);
        expect(lines).toEqual(lines.map((_, place) => place + 1));
        expect(whole).toContain(`${name} end ${lines.length}\n`);
      }
      const ended = await Promise.all(sessions.map((id) => ann.session(id)));
      const starts = ended.slice(2).map((session) => session.startedAt ?? "");
      expect([...starts].sort()).toEqual(starts);
      expect(ended.every((session) => session.attempt === 1)).toBe(true);
    } finally {
      await camelot.remove();
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
