/**
 * The workspace on real git: puts the verbs of `server/ports/workspace.ts` together. Decides nothing itself.
 * Everything it makes lies under the data directory: `worktrees/<project>/<number>-<slug>`, `clones/<project>` (bare),
 * `clone-credentials/`, `samples/<project>`, `git-locks/`, `git-moves/`, `scratch/`.
 */
import { reasonOf } from "../core/text/reason";
import type { Remotes } from "../ports/remotes";
import type { Seal } from "../ports/seal";
import type { Author, Workspace } from "../ports/workspace";
import { behindOf } from "./changes/behind";
import { diffTask } from "./changes/diff";
import type { WorkspaceContext } from "./context";
import { diskUseOf } from "./disk-use";
import { Errands } from "./errands";
import { Turns } from "./git/turns";
import { Places } from "./places";
import { refuseBase } from "./repository/base-branch";
import { cloneRepository } from "./repository/clone";
import { cloneTrouble, moveClone } from "./repository/clone-fetch";
import { removeLeftParts } from "./repository/clone-part";
import { keepCredentials, sealPlainLogins, secretsOfLogin } from "./repository/credentials";
import { inspectRepository } from "./repository/repository";
import { refuseOtherFolder } from "./repository/same-history";
import { makeSampleRepository } from "./repository/sample";
import { cutOffIn, mendFirst, mendMoves } from "./review/cut-off-moves";
import { isMerged, mergeBranch } from "./review/merge";
import { passedOver } from "./review/passed-over";
import { pushBranch } from "./review/push";
import { remoteOf } from "./review/remote";
import { standingOf } from "./review/standing";
import { prepareWorktree } from "./worktree/prepare";
import { saveWork } from "./worktree/save";
import { tidyWorktree } from "./worktree/tidy";

/** An address that is right and a server that is well answer in seconds, whatever the repository's size. */
const SILENCE_LIMIT_MS = 60_000;

const CAMELOT: Author = { name: "Camelot", email: "camelot@localhost" };

export interface WorkspaceOptions {
  readonly dataDir: string;
  /** For logins of clone addresses. */
  readonly seal: Seal;
  /** One line for the server's log, without credentials. */
  readonly log: (line: string) => void;
  /** Who commits saved work; Camelot by default. */
  readonly author?: Author;
  /** So long without a word from another machine, and it is given up, ms. */
  readonly silenceLimitMs?: number;
}

/** The workspace and how its house opens and leaves it. */
export interface OpenWorkspace extends Workspace, Remotes {
  /** Removes what a crash left; each verb does so, too, when it is the first. */
  open(): Promise<void>;
  /** Ends what waits for another machine on behalf of a call, and refuses it from then on. */
  endErrands(): Promise<void>;
}

export function createWorkspace(options: WorkspaceOptions): OpenWorkspace {
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
      const cutOff = await cutOffIn(opened, found);
      const wrong = { ...(trouble === null ? {} : { trouble }), ...(cutOff === null ? {} : { cutOff }) };
      return { kind: "ok", path, defaultBranch, ...wrong };
    },
    refuseBase: async (repository, baseBranch) => refuseBase(await context(), repository, baseBranch),
    refuseOtherFolder: async (repository, former, commits) =>
      refuseOtherFolder(await context(), repository, former, commits),
    makeSample: async (projectId) => makeSampleRepository(await context(), projectId),
    async clone(projectId, url, clone = {}) {
      const opened = await context();
      const cloning = (signal: AbortSignal) => cloneRepository(opened, projectId, url, { ...clone, signal });
      return opened.errands.run(cloning, clone.signal);
    },
    async moveClone(projectId, url, baseBranch, givenUp) {
      const opened = await context();
      return opened.errands.run((signal) => moveClone(opened, projectId, url, baseBranch, signal), givenUp);
    },
    async forgetLogin(projectId) {
      const opened = await context();
      await keepCredentials(opened, opened.places.credentialsOf(opened.places.clone(projectId)), null);
    },
    async loginSecrets(projectId) {
      const opened = await context();
      return secretsOfLogin(opened, opened.places.credentialsOf(opened.places.clone(projectId)));
    },
    discard: async (projectId) => (await context()).places.discard(projectId),
    async prepare(request, signal) {
      const opened = await context();
      await mendFirst(opened, request.repository);
      return prepareWorktree(opened, request, signal);
    },
    save: async (request) => saveWork(await context(), request),
    diff: async (request) => diffTask(await context(), request),
    async mergeOutlook(request) {
      const known = await context();
      const found = await inspectRepository(known.places, request.repository);
      if (found.kind === "refused") return { behind: null, passedOver: [] };
      const [behind, leftOut] = await Promise.all([behindOf(found, request), passedOver(known, found)]);
      return { behind, passedOver: leftOut };
    },
    merge: async (request) => mergeBranch(await context(), request),
    isMerged: async (request) => isMerged(await context(), request),
    async mendMoves(repository) {
      const opened = await context();
      return repository === undefined ? mendMoves(opened) : mendFirst(opened, repository);
    },
    async push(request) {
      const opened = await context();
      return opened.errands.run((signal) => pushBranch(opened, request, signal));
    },
    remote: async (repository, baseBranch) => remoteOf(await context(), repository, baseBranch),
    standing: async (repository, baseBranch) => standingOf(await context(), repository, baseBranch),
    tidy: async (request) => tidyWorktree(await context(), request),
    diskUse: async (projectId) => diskUseOf((await context()).places, projectId),
    async open() {
      await context();
    },
    async endErrands() {
      await (await opened)?.errands.end();
    },
  };
}

async function openContext(options: WorkspaceOptions): Promise<WorkspaceContext> {
  const { seal, log, author = CAMELOT, silenceLimitMs = SILENCE_LIMIT_MS } = options;
  const places = await Places.open(options.dataDir, log);
  void places.sweep();
  void removeLeftParts(places.clones).catch((error: unknown) =>
    log(
      `What a crash left in ${places.clones} could not all be removed; the next start tries again: ${reasonOf(error)}`,
    ),
  );
  await sealPlainLogins({ seal, log }, places.credentials);
  return { places, turns: new Turns(places.locks), errands: new Errands(), silenceLimitMs, author, seal, log };
}
