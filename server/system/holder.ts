/**
 * Who holds something that outlives a process (the writer's lease, a lock file), in one line from which another start on the
 * same machine can tell whether the holder still lives: after a `kill -9` nobody should have to wait. Never guesses: what
 * cannot be judged is said to be so.
 */
import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { bootId, HAS_PROC, isDeadState, isPidTaken, lookAt } from "./process-identity";

export type HolderLife =
  | "alive"
  | "over"
  /** Of an earlier boot of this machine, or of another machine. */
  | "other-boot"
  /** Of another container on this machine: its pid means nothing here. */
  | "other-namespace"
  /** Hidden from us, or no holder's line at all. */
  | "unknown";

/** `place pid start` */
export function holderOf(pid: number): string {
  return [placeHere(), pid, startWord(lookAt(pid)?.start) ?? UNSEEN].join(" ");
}

/** This process, and different with every call: two holds of one process are two. */
export function selfAsHolder(): string {
  return `${holderOf(process.pid)} ${randomUUID()}`;
}

export function lifeOf(holder: string): HolderLife {
  const [place = "", pidText, start] = holder.split(" ");
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid < 1 || start === undefined) return "unknown";
  const here = placeHere();
  if (place !== here) return bootIn(place) === bootIn(here) ? "other-namespace" : "other-boot";
  const found = lookAt(pid);
  if (found === null) return isPidTaken(pid) ? "unknown" : "over";
  if (isDeadState(found.state)) return "over";
  if (start === UNSEEN) return "unknown";
  return startWord(found.start) === start ? "alive" : "over";
}

export function isProvablyDead(holder: string): boolean {
  return lifeOf(holder) === "over";
}

const UNSEEN = "?";

/** Processes can only be looked up in their own machine, boot and pid namespace; the three together are a place. */
function placeHere(): string {
  const boot = bootId().replace(/[^\w-]+/g, "-");
  return [process.platform, boot, HAS_PROC ? namespaceHere() : hostname().replaceAll(" ", "-")].join("|");
}

function bootIn(place: string): string | undefined {
  return place.split("|")[1];
}

function namespaceHere(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "unknown";
  }
}

/** A date has blanks, the line must not. */
function startWord(start: string | undefined): string | undefined {
  return start?.replaceAll(" ", "_");
}
