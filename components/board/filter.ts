/**
 * Which cards the board shows: by text, person, agent and state. Pure. It stands in the address, so that a reload, a link and
 * the back button keep it; `me` is whoever looks, so that "mine" in a link is the reader's own.
 */
import type { BoardCard } from "./columns";

export const STATES = ["queued", "held", "running", "asking", "succeeded", "failed", "cancelled"] as const;
export type FilterState = (typeof STATES)[number];

export interface BoardFilter {
  readonly text: string;
  /** A user's id, `me`, or empty for everybody. */
  readonly person: string;
  /** An agent's id, or empty for all. */
  readonly agent: string;
  readonly state: FilterState | "";
}

export const ME = "me";
export const NO_FILTER: BoardFilter = { text: "", person: "", agent: "", state: "" };
export const MINE: BoardFilter = { ...NO_FILTER, person: ME };
export const NEEDS_ME: BoardFilter = { ...MINE, state: "asking" };

/** Longest text that is kept in an address, in characters. */
export const TEXT_MAX = 200;

const NAMES = { text: "q", person: "person", agent: "agent", state: "state" } as const;
const PARTS = Object.keys(NAMES) as (keyof BoardFilter)[];

/** What an address says; what is not known in it counts as not said. */
export function readFilter(search: Pick<URLSearchParams, "get">): BoardFilter {
  const [text, person, agent, said] = PARTS.map((part) => search.get(NAMES[part]) ?? "") as [
    string,
    string,
    string,
    string,
  ];
  const state = STATES.find((one) => one === said) ?? "";
  return { text: text.slice(0, TEXT_MAX), person, agent, state };
}

/** The address's part behind the path: empty, or `?…`. Other parameters of `search` stay. */
export function writeFilter(filter: BoardFilter, search: string): string {
  const next = new URLSearchParams(search);
  for (const part of PARTS) {
    if (filter[part] === "") next.delete(NAMES[part]);
    else next.set(NAMES[part], filter[part]);
  }
  const text = next.toString();
  return text === "" ? "" : `?${text}`;
}

export function isSameFilter(one: BoardFilter, other: BoardFilter): boolean {
  return PARTS.every((part) => one[part] === other[part]);
}

/** Whose card it is: of who dispatched it, else of who wrote it. */
export function userOf({ live, task }: BoardCard): string | null {
  return live?.userId ?? task.session?.userId ?? task.createdBy;
}

/** The agent of the newest session, or the one it is meant for; null: the project's first. */
export function agentOf({ task }: BoardCard): string | null {
  return task.session?.agentId ?? task.agentId;
}

/** `meId`: of who looks. */
export function passesFilter(card: BoardCard, { text, person, agent, state }: BoardFilter, meId: string): boolean {
  if (person !== "" && userOf(card) !== (person === ME ? meId : person)) return false;
  if (agent !== "" && agentOf(card) !== agent) return false;
  return (state === "" || isIn(card, state)) && hasWords(card, text);
}

function isIn({ live, task }: BoardCard, state: FilterState): boolean {
  switch (state) {
    case "queued":
      return live?.status === "queued";
    case "held":
      return live?.status === "queued" && live.position === null;
    case "running":
      return live?.status === "running";
    case "asking":
      return live?.phase === "asking";
    default:
      return live === null && task.session?.status === state;
  }
}

/** Every word, anywhere in number, title or the beginning of the prompt; `#12` is this number only. */
function hasWords({ task }: BoardCard, text: string): boolean {
  if (text.trim() === "") return true;
  const held = plain(`#${task.number} ${task.title} ${task.prompt}`);
  return plain(text)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => (/^#\d+$/.test(word) ? word === `#${task.number}` : held.includes(word)));
}

/** Without case, accents and what cannot be seen. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase();
}
