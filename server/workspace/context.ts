/** What every verb of the workspace works with; made once by `createWorkspace`. Holds no state of its own. */
import type { Seal } from "../ports/seal";
import type { Author } from "../ports/workspace";
import type { Errands } from "./errands";
import type { Turns } from "./git/turns";
import type { Places } from "./places";

export interface WorkspaceContext {
  readonly places: Places;
  readonly turns: Turns;
  readonly errands: Errands;
  /** So long without a word from another machine, and it is given up, ms. */
  readonly silenceLimitMs: number;
  /** Who commits saved work, and what agents commit where git knows nobody. */
  readonly author: Author;
  /** For what must not lie on the disk as it is: logins. */
  readonly seal: Seal;
  /** One line for the server's log; no credentials in it. */
  readonly log: (line: string) => void;
}
