/** What every verb of the workspace works with; made once by `createWorkspace`. Holds no state of its own. */
import type { Seal } from "../ports/seal";
import type { Turns } from "./git/turns";
import type { Places } from "./places";

export interface Author {
  readonly name: string;
  readonly email: string;
}

export interface WorkspaceContext {
  readonly places: Places;
  readonly turns: Turns;
  /** Who commits saved work. */
  readonly author: Author;
  /** For what must not lie on the disk as it is: logins. */
  readonly seal: Seal;
  /** One line for the server's log; no credentials in it. */
  readonly log: (line: string) => void;
}
