/**
 * The workspace on real git: puts the verbs of `server/ports/workspace.ts` together. Decides nothing itself.
 * Everything it makes lies under the data directory: `worktrees/<project>/<number>-<slug>`, `clones/<project>` (bare),
 * `clone-credentials/`, `samples/<project>`, `git-locks/`, `git-moves/`, `scratch/`.
 */
import { reasonOf } from "../core/text/reason";
import type { Remotes } from "../ports/remotes";
import type { Seal } from "../ports/seal";
import type { Workspace } from "../ports/workspace";
import { diffTask } from "./changes/diff";
import type { Author, WorkspaceContext } from "./context";
import { Turns } from "./git/turns";
import { Places } from "./places";
import { refuseBase } from "./repository/base-branch";
import { cloneRepository } from "./repository/clone";
import { cloneTrouble, moveClone } from "./repository/clone-fetch";
import { keepCredentials, sealPlainLogins, secretsOfLogin } from "./repository/credentials";
import { inspectRepository } from "./repository/repository";
import { makeSampleRepository } from "./repository/sample";
import { mergeBranch } from "./review/merge";
import { pushBranch } from "./review/push";
import { remoteOf } from "./review/remote";
import { prepareWorktree } from "./worktree/prepare";
import { saveWork } from "./worktree/save";
import { tidyWorktree } from "./worktree/tidy";

const CAMELOT: Author = { name: "Camelot", email: "camelot@localhost" };

export interface WorkspaceOptions {
  readonly dataDir: string;
  /** For logins of clone addresses. */
  readonly seal: Seal;
  /** One line for the server's log, without credentials. */
  readonly log: (line: string) => void;
  /** Who commits saved work; Camelot by default. */
  readonly author?: Author;
}

export function createWorkspace(options: WorkspaceOptions): Workspace & Remotes {
  let opened: Promise<WorkspaceContext> | null = null;
  const context = () => {
    opened ??= openContext(options).catch((error: unknown) => {
      opened = null; // a data directory that could not be made may be there next time
      throw error;
    });
    return opened;
  };
  return {
    async inspect(repository) {
      const opened = await context();
      const found = await inspectRepository(opened.places, repository);
      if (found.kind === "refused") return found;
      const { path, defaultBranch } = found;
      const trouble = opened.places.isClone(path) ? await cloneTrouble(opened, path) : null;
      return { kind: "ok", path, defaultBranch, ...(trouble === null ? {} : { trouble }) };
    },
    refuseBase: async (repository, baseBranch) => refuseBase(await context(), repository, baseBranch),
    makeSample: async (projectId) => makeSampleRepository(await context(), projectId),
    clone: async (projectId, url, clone = {}) => cloneRepository(await context(), projectId, url, clone),
    moveClone: async (projectId, url, baseBranch) => moveClone(await context(), projectId, url, baseBranch),
    async forgetLogin(projectId) {
      const opened = await context();
      await keepCredentials(opened, opened.places.credentialsOf(opened.places.clone(projectId)), null);
    },
    async loginSecrets(projectId) {
      const opened = await context();
      return secretsOfLogin(opened, opened.places.credentialsOf(opened.places.clone(projectId)));
    },
    discard: async (projectId) => (await context()).places.discard(projectId),
    prepare: async (request, signal) => prepareWorktree(await context(), request, signal),
    save: async (request) => saveWork(await context(), request),
    diff: async (request) => diffTask(await context(), request),
    merge: async (request) => mergeBranch(await context(), request),
    push: async (request) => pushBranch(await context(), request),
    remote: async (repository, baseBranch) => remoteOf(await context(), repository, baseBranch),
    tidy: async (request) => tidyWorktree(await context(), request),
  };
}

async function openContext(options: WorkspaceOptions): Promise<WorkspaceContext> {
  const places = await Places.open(options.dataDir);
  void places
    .sweep()
    .catch((error: unknown) => options.log(`The scratch folder could not be swept: ${reasonOf(error)}`));
  const { seal, log, author = CAMELOT } = options;
  await sealPlainLogins({ seal, log }, places.credentials);
  return { places, turns: new Turns(places.locks), author, seal, log };
}
