/** Twenty real agents at once on one machine, watched by somebody else. For the long run: it takes minutes on two cores. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { PoolPicture } from "../server/contract/pool";
import type { Task } from "../server/contract/tasks";
import { REAL_AGENTS } from "../server/testing/real-agents";
import { BoardPage } from "./support/board-page";
import { Person } from "./support/person";
import { RealAgents } from "./support/real-agents";
import { git } from "./support/repository";

const CROWD = 20;
const PATIENT = { timeout: 600_000, intervals: [500] };
test.setTimeout(1_500_000);

if (process.env.CAMELOT_TEST_ALL) {
  test("[B5][P20][A4] twenty real agents at once: they start a few at a time, all finish, and the board stays live", async ({
    browser,
  }) => {
    const real = await RealAgents.start({ PER_USER_MAX: String(CROWD), GLOBAL_MAX: String(CROWD) });
    try {
      const desk = await real.begin(browser, "Ann");
      const { person: ann, projectId } = desk;
      const ben = await Person.signUp(real.camelot, "Ben");
      await ann.addMember(projectId, ben);
      const board = await BoardPage.open(await ben.openPage(browser), real.camelot, projectId);
      const talking = REAL_AGENTS.filter(({ name }) => name !== "gemini");
      const agents = await Promise.all(talking.map((agent) => desk.agent(agent, agent.free)));
      const gate = path.join(real.camelot.dataDir, "gate-crowd");
      const order = `@@bash echo made > made.txt\n@@gate ${gate}\n@@say Done.`;
      const tasks: Task[] = [];
      for (let n = 0; n < CROWD; n += 1) {
        tasks.push(await ann.makeTask(projectId, `Of the crowd ${n}`, order, agents[n % agents.length]));
      }
      const sessions = await Promise.all(tasks.map(async ({ id }) => (await ann.dispatch(id)).session));

      const phases = async () => {
        const { sessions: all } = await ann.must<PoolPicture>("GET", "/pool");
        return Object.values(all).map(({ phase }) => phase);
      };
      const seen: { starting: number; working: number }[] = [];
      const working = async () => {
        const now = await phases();
        const count = (phase: string) => now.filter((each) => each === phase).length;
        seen.push({ starting: count("starting"), working: count("working") });
        return count("working");
      };
      const isLive = async () => {
        const { number } = await ann.makeTask(projectId, "Made meanwhile", "true");
        await expect(board.card(number)).toBeVisible();
      };
      await isLive();
      await expect.poll(working, PATIENT).toBe(CROWD);
      expect(seen.filter(({ starting, working }) => starting > 0 && working > 0).length).toBeGreaterThan(1);
      await isLive();
      const wrote = async ({ id }: Task) => {
        const { branch } = await ann.must<{ branch: string }>("GET", `/tasks/${id}`);
        return git(desk.repository, "ls-tree", "--name-only", branch).includes("made.txt");
      };
      fs.writeFileSync(gate, "");
      await isLive();
      await expect.poll(async () => (await phases()).length, PATIENT).toBe(0);
      const endings = await Promise.all(sessions.map(({ id }) => ann.session(id)));
      expect(endings.map(({ status }) => status)).toEqual(endings.map(() => "succeeded"));
      expect(endings.map(({ usage }) => [usage?.input, usage?.partial])).toEqual(endings.map(() => [2480, false]));
      expect(await Promise.all(tasks.map(wrote))).toEqual(tasks.map(() => true));
      for (const { number } of tasks) await expect(board.card(number)).toContainText("Succeeded");
    } finally {
      await real.remove();
    }
  });
}
