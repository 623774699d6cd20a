/** What administrators decide beside the pool's caps. */
export interface Settings {
  /** Output of ended sessions is kept this long … */
  readonly outputDays: number;
  /** … and this much of it, the newest (R14). */
  readonly outputMaxBytes: number;
  /** How long an agent's question waits for an answer (R12). */
  readonly answerWithinMs: number;
}

export type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

export interface SettingsStore {
  read(): Promise<Settings>;
  change(change: SettingsChange): Promise<Settings>;
}
