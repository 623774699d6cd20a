/** Where the account calls stand on the server (spec 10); their bodies are checked in `auth/forms.ts`. */
export const AUTH_PREFIX = "/api/auth";

/** Who may make an account (S4). */
export type RegistrationPolicy = "open" | "invitation" | "closed";
