/** A half-written task survives a reload, a closed dialog and an expired login; one per project, in this browser only. */

export interface Draft {
  readonly title: string;
  readonly prompt: string;
  readonly agentId: string | null;
}

export const EMPTY_DRAFT: Draft = { title: "", prompt: "", agentId: null };

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
  try {
    if (draft.title === "" && draft.prompt === "") localStorage.removeItem(keyOf(projectId));
    else localStorage.setItem(keyOf(projectId), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
