/** A half-written task survives a reload, a closed dialog and an expired login; one per project, in this browser only. */

export interface Draft {
  readonly title: string;
  readonly prompt: string;
  readonly agentId: string | null;
}

export const EMPTY_DRAFT: Draft = { title: "", prompt: "", agentId: null };

/** Longest text that is kept, in characters: writing it holds the page up, and a browser has about 5 million for a whole site. */
const KEPT_MAX_CHARS = 500_000;
/** How long nothing is typed before it is kept, in milliseconds. */
const KEEP_AFTER_MS = 300;

const keyOf = (projectId: string) => `camelot.draft.${projectId}`;

export function readDraft(projectId: string): Draft {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? "null");
    if (typeof held !== "object" || held === null) return EMPTY_DRAFT;
    const { title, prompt, agentId } = held as Record<string, unknown>;
    return {
      title: typeof title === "string" ? title : "",
      prompt: typeof prompt === "string" ? prompt : "",
      agentId: typeof agentId === "string" ? agentId : null,
    };
  } catch {
    return EMPTY_DRAFT;
  }
}

/** False when the browser cannot keep it (too long, or storage is off). */
export function keepDraft(projectId: string, draft: Draft): boolean {
  if (draft.title.length + draft.prompt.length > KEPT_MAX_CHARS) return false;
  try {
    if (draft.title === "" && draft.prompt === "") localStorage.removeItem(keyOf(projectId));
    else localStorage.setItem(keyOf(projectId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export interface DraftKeeper {
  /** Keeps it a moment later; of many changes in a row only the last. */
  later(draft: Draft): void;
  /** Keeps at once what was to be kept later. */
  now(): void;
  /** The task is made. */
  drop(): void;
}

/** `told` hears whether the browser keeps it. */
export function createDraftKeeper(projectId: string, told: (isKept: boolean) => void): DraftKeeper {
  let due: { readonly draft: Draft; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  const take = () => {
    const taken = due;
    if (taken !== null) clearTimeout(taken.timer);
    due = null;
    return taken?.draft ?? null;
  };
  const now = () => {
    const draft = take();
    if (draft !== null) told(keepDraft(projectId, draft));
  };
  return {
    later(draft) {
      take();
      due = { draft, timer: setTimeout(now, KEEP_AFTER_MS) };
    },
    now,
    drop() {
      take();
      keepDraft(projectId, EMPTY_DRAFT);
    },
  };
}
