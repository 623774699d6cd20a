/** Which issues of GitHub came in as tasks (W4). One that did counts for good, whatever became of its task. */
import type { ProjectId } from "../core/words";

/** By what names it. */
export interface IssueRef {
  readonly apiUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
}

export interface ImportedIssue extends IssueRef {
  /** GitHub's own, which stays when the repository is renamed; null: it told none. */
  readonly id: number | null;
}

export interface IssueStore {
  /** Of these issues of one repository the ones that never came into the project, in their order. */
  unknown<One extends Pick<ImportedIssue, "number" | "id">>(
    projectId: ProjectId,
    at: Pick<IssueRef, "apiUrl" | "repository">,
    issues: readonly One[],
  ): Promise<One[]>;
}
