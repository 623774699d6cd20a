/** For tests: cards, sessions and pictures of the pool with only what a test is about written out. */
import type { PoolPicture, PoolSession } from "@/server/contract/pool";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import type { MenuHelp } from "./card-menu";

const START = "2026-01-01T12:00:00.000Z";

export function sampleSession(change: Partial<Session> = {}): Session {
  return {
    id: "s1",
    taskId: "t1",
    projectId: "p",
    userId: "nora",
    agentId: "shell",
    attempt: 1,
    status: "queued",
    phase: null,
    phaseSince: null,
    forcedAt: null,
    adoptedAt: null,
    lastOutputAt: null,
    position: 1,
    ahead: null,
    waitingFor: null,
    startsIn: null,
    seat: null,
    queuedAt: START,
    startedAt: null,
    finishedAt: null,
    exitCode: null,
    failure: null,
    cancelledBy: null,
    usage: null,
    question: null,
    continues: null,
    lastAction: null,
    mode: "work",
    message: null,
    files: null,
    additions: null,
    deletions: null,
    outputBytes: null,
    outputRemoved: false,
    workUnsaved: null,
    leftOut: [],
    ...change,
  };
}

export function sampleTask(change: Partial<Task> = {}): Task {
  return {
    id: "t1",
    projectId: "p",
    number: 12,
    title: "Retry webhook deliveries",
    prompt: "Use the table we have.",
    agentId: "shell",
    column: "backlog",
    session: null,
    sessionCount: 0,
    orderKey: "a",
    branch: null,
    createdBy: "nora",
    createdAt: START,
    updatedAt: START,
    shelfAt: null,
    shelfBy: null,
    outcome: null,
    pullRequest: null,
    issue: null,
    pushedAt: null,
    pushedBranch: null,
    unsavedIn: null,
    ...change,
  };
}

export function sampleLive(change: Partial<PoolSession> = {}): PoolSession {
  return {
    taskId: "t1",
    projectId: "p",
    userId: "nora",
    attempt: 1,
    status: "queued",
    phase: null,
    position: 1,
    ahead: null,
    waitingFor: null,
    startsIn: null,
    seat: null,
    queuedAt: START,
    startedAt: null,
    ...change,
  };
}

export function samplePool(change: Partial<PoolPicture> = {}): PoolPicture {
  return {
    epoch: 1,
    version: 1,
    at: "2026-01-01T12:05:00.000Z",
    paused: false,
    isReady: true,
    isDiskShort: false,
    global: { running: 5, max: 20, queued: 7 },
    perUserMax: 2,
    limits: {},
    users: {},
    held: {},
    seats: {},
    sessions: {},
    truncated: false,
    ...change,
  };
}

/** For a card's menu. */
export function sampleMenuHelp(change: Partial<MenuHelp> = {}): MenuHelp {
  return {
    open: () => {},
    copyLink: () => {},
    place: null,
    line: null,
    shelf: null,
    base: "main",
    hasGitHub: false,
    isAdmin: false,
    agent: "Shell",
    elapsed: () => "0:04",
    ...change,
  };
}
