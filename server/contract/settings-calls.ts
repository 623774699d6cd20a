/** What administrators decide for the whole installation, beside the pool's caps. */
import { z } from "zod";
import { ADMIN, call } from "./call";

const DAYS_MAX = 36_500;
const BYTES_LEAST = 100_000_000;
const ANSWER_MAX_SECONDS = 2_592_000;

const settings = z.strictObject({
  /** Output of ended sessions is kept this many days … */
  outputDays: z.number().int().min(1).max(DAYS_MAX),
  /** … and this many bytes of it, the newest (R14). */
  outputMaxBytes: z.number().int().min(BYTES_LEAST).max(Number.MAX_SAFE_INTEGER),
  /** How long an agent's question waits for an answer (R12). */
  answerWithinSeconds: z.number().int().min(60).max(ANSWER_MAX_SECONDS),
});

export const settingsCalls = {
  get: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({ method: "GET", path: "/settings", summary: "How long output is kept, and how long a question waits" })
    .output(settings),
  change: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({ method: "PATCH", path: "/settings" })
    .input(settings.partial())
    .output(settings),
};

export type SettingsView = z.infer<typeof settings>;
