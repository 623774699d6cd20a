/** What starting an agent comes to, whatever its kind. Types only. */

/** `AgentCommand` of ports/runner.ts says the same. `{{runFolder}}` in argv means the folder that holds `files`. */
export interface CommandLine {
  readonly kind: "command";
  readonly argv: readonly string[];
  readonly stdin: string | null;
  readonly files?: Readonly<Record<string, string>>;
  readonly talk?: Talk;
}

/** What the host needs to speak with an agent by its protocol; the runner's order carries it as it is. */
export type Talk =
  | { readonly driver: "claude"; readonly resume: string | null }
  | {
      readonly driver: "codex";
      readonly resume: string | null;
      readonly otherwise: string | null;
      readonly model: string | null;
      readonly approvalPolicy: string;
      readonly sandbox: string;
    }
  | {
      readonly driver: "acp";
      readonly resume: string | null;
      readonly otherwise: string | null;
      readonly model: string | null;
      readonly mode: string | null;
    };
