/**
 * Finds what moves that were cut off left in people's trees (W4), without looking into their repositories: the records say
 * where, and none is the rule. Each repository in its own turn, so a move that is under way is waited for and not touched.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceContext } from "../context";
import { inspectRepository, type Repository } from "../repository/repository";
import { mendMove, whyCutOff } from "./move-mend";
import { listMoves, readMove } from "./move-record";

/** How long something else waits for the mending before it, ms. */
const WAIT_LIMIT_MS = 10_000;

/** All of them, one after the other; true: nothing is left. A failure of one keeps no other from being tried. */
export async function mendMoves(context: WorkspaceContext): Promise<boolean> {
  let isAllRight = true;
  for (const { path } of await listMoves(context.places)) {
    const repository = await inspectRepository(context.places, path);
    if (repository.kind === "refused" || !(await mendInTurn(context, repository))) isAllRight = false;
  }
  return isAllRight;
}

/** Before something else is done with this repository, which waits no longer than `WAIT_LIMIT_MS`. */
export async function mendFirst(context: WorkspaceContext, path: string): Promise<boolean> {
  if ((await listMoves(context.places)).length === 0) return true;
  const repository = await inspectRepository(context.places, path);
  if (repository.kind === "refused") return false;
  return Promise.race([mendInTurn(context, repository), sleep(WAIT_LIMIT_MS, false, { ref: false })]);
}

async function mendInTurn(context: WorkspaceContext, repository: Repository): Promise<boolean> {
  const { gitDirectory } = repository;
  const isMended = async () => (await readMove(context.places, gitDirectory)) === null;
  if (await isMended()) return true;
  const mending = () => mendMove(context, repository);
  // What fails stands in the record, and whoever does not let us have our turn is at work there.
  await context.turns.onGitDirectory(gitDirectory, mending).catch(() => undefined);
  return isMended();
}

/** What people are told of a tree that could not be put right; null: there is none, or nobody has tried yet. */
export async function cutOffIn({ places }: WorkspaceContext, { gitDirectory }: Repository): Promise<string | null> {
  const record = await readMove(places, gitDirectory);
  return record?.left === undefined ? null : whyCutOff(record);
}
