/** The account calls: sign up, in and out, and what one changes of oneself. Plain fetch, because they belong to the account library and not to the contract. */

export interface AccountForm {
  readonly name?: string;
  readonly email: string;
  readonly password: string;
  readonly invitation?: string;
}

/** Null when it worked, else one sentence that says why not. */
export async function enter(how: "sign-up" | "sign-in", form: AccountForm): Promise<string | null> {
  return call(`/api/auth/${how}/email`, form);
}

export async function leave(): Promise<string | null> {
  return call("/api/auth/sign-out", {});
}

/** Ends every login of one's own but this browser's. */
export async function leaveElsewhere(): Promise<string | null> {
  return call("/api/auth/revoke-other-sessions", {});
}

export async function rename(name: string): Promise<string | null> {
  return call("/api/auth/update-user", { name });
}

/** Ends every other login too. */
export async function changePassword(form: { currentPassword: string; newPassword: string }): Promise<string | null> {
  return call("/api/auth/change-password", form);
}

async function call(address: string, body: unknown): Promise<string | null> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      credentials: "same-origin",
    });
    if (answer.ok) return null;
    const said = (await answer.json().catch(() => null)) as { message?: unknown } | null;
    return typeof said?.message === "string" ? said.message : `The server answered ${answer.status}. Try again.`;
  } catch {
    return "The server cannot be reached. Try again.";
  }
}
