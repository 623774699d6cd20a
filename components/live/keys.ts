/**
 * The cache keys that only the live channel writes. Whoever shows live data reads them; nobody else sets them, so a card,
 * a profile and the header cannot disagree (P13).
 */
export const liveKeys = {
  pool: ["live", "pool"] as const,
  board: (projectId: string) => ["live", "board", projectId] as const,
};
