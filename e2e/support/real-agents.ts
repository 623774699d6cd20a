/**
 * An installation with the real agents, which speak with a model server of ours on 127.0.0.1. Everybody's limit is one,
 * unless the story says otherwise.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "@playwright/test";
import type { Session } from "../../server/contract/sessions";
import { startFakeModel } from "../../server/testing/fake-model/server.mjs";
import { environmentOf, REAL_AGENTS, type RealAgent } from "../../server/testing/real-agents";
import { BoardPage } from "./board-page";
import { Camelot } from "./camelot";
import { Person } from "./person";
import { makeRepository } from "./repository";

/** A real agent starts, works and leaves on a busy machine. */
export const PATIENT = { timeout: 90_000 };

type Model = Awaited<ReturnType<typeof startFakeModel>>;

/** What the product calls them: their kind, and the name that is shown. */
const CALLED: Readonly<Record<RealAgent["name"], { readonly kind: string; readonly name: string }>> = {
  "claude-code": { kind: "claude-code", name: "Claude Code" },
  codex: { kind: "codex", name: "Codex" },
  gemini: { kind: "acp", name: "Gemini CLI" },
};

/** Somebody with a project of their own, in front of its board. */
export interface Desk {
  readonly person: Person;
  readonly page: Page;
  readonly board: BoardPage;
  readonly projectId: string;
  readonly repository: string;
  /** The id of the agent that was made. */
  agent(agent: RealAgent, settings: object): Promise<string>;
  dispatched(agentId: string, prompt: string): Promise<Session>;
}

export class RealAgents {
  readonly camelot: Camelot;
  readonly #model: Model;
  /** What a project gives its agents, so that they speak with our model. */
  readonly #variables: ReadonlyMap<string, string>;

  private constructor(camelot: Camelot, model: Model, variables: ReadonlyMap<string, string>) {
    this.camelot = camelot;
    this.#model = model;
    this.#variables = variables;
  }

  static async start(settings: Record<string, string> = {}): Promise<RealAgents> {
    const model = await startFakeModel();
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "camelot-home-"));
    let environment: Record<string, string> = {};
    for (const agent of REAL_AGENTS) environment = { ...environment, ...(await environmentOf(agent, model.url, home)) };
    const { PATH = "", HOME = "", ...variables } = environment;
    const camelot = await Camelot.start({ PATH, HOME, PER_USER_MAX: "1", ...settings });
    return new RealAgents(camelot, model, new Map(Object.entries(variables)));
  }

  async remove(): Promise<void> {
    await this.camelot.remove();
    await this.#model.close();
    fs.rmSync(this.camelot.environment.HOME ?? "", { recursive: true, force: true });
  }

  /** The first one is the administrator. */
  async begin(browser: Browser, name: string): Promise<Desk> {
    const { camelot } = this;
    const person = await Person.signUp(camelot, name);
    const repository = makeRepository(camelot.dataDir, name.toLowerCase());
    const { id: projectId } = await person.makeProject(`Shop of ${name}`, repository);
    for (const [variable, value] of this.#variables) {
      await person.must("PUT", `/projects/${projectId}/variables/${variable}`, { value });
    }
    const page = await person.openPage(browser);
    const board = await BoardPage.open(page, camelot, projectId);
    const agent = async ({ name: which }: RealAgent, settings: object) =>
      (await person.must<{ id: string }>("POST", "/agents", { ...CALLED[which], settings, projectId })).id;
    const dispatched = async (agentId: string, prompt: string) => {
      const task = await person.makeTask(projectId, "Say hello", prompt, agentId);
      return (await person.dispatch(task.id)).session;
    };
    return { person, page, board, projectId, repository, agent, dispatched };
  }
}
