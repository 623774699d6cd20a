/**
 * In what agents that speak ACP differ although they speak the same (measured per agent). Anybody who is not in the table
 * gets what the protocol says. The names are those by which the agents introduce themselves.
 */

export interface Quirks {
  /** True: cached tokens are counted into the input. */
  readonly countsCacheAsInput: boolean;
  /**
   * What the count at the end of a turn is of: the turn; only its last call of the model; everything since the program was
   * started. `none`: the calls are told one by one.
   */
  readonly turnCount: "turn" | "last-call" | "process" | "none";
  /** True: an error of the model's service is the agent's last text ("Error: …"), at an end that looks like a good one. */
  readonly saysErrors: boolean;
}

const PROTOCOL: Quirks = { countsCacheAsInput: false, turnCount: "turn", saysErrors: false };

const QUIRKS: Readonly<Record<string, Partial<Quirks>>> = {
  "gemini-cli": { countsCacheAsInput: true },
  OpenCode: { turnCount: "last-call" },
  "qwen-code": { countsCacheAsInput: true, turnCount: "none" },
  Copilot: { countsCacheAsInput: true, turnCount: "process", saysErrors: true },
};

export function quirksOf(agent: string | null): Quirks {
  return { ...PROTOCOL, ...(agent === null ? {} : QUIRKS[agent]) };
}
