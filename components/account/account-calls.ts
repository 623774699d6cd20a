/** The account calls: sign up, in and out, and what one changes of oneself. Plain fetch, because they belong to the account library and not to the contract. */

export interface AccountForm {
  readonly name?: string;
  readonly email: string;
  readonly password: string;
  readonly invitation?: string;
}

export interface AccountRefusal {
  /** One sentence that says why. */
  readonly sentence: string;
  /** What was sent under this name is the reason; empty: all of it, or something else. */
  readonly field: string;
}

/** Null when it worked, as with all of these. */
export async function enter(how: "sign-up" | "sign-in", form: AccountForm): Promise<AccountRefusal | null> {
  return call(`/api/auth/${how}/email`, form);
}

export async function leave(): Promise<AccountRefusal | null> {
  return call("/api/auth/sign-out", {});
}

/** Ends every login of one's own but this browser's. */
export async function leaveElsewhere(): Promise<AccountRefusal | null> {
  return call("/api/auth/revoke-other-sessions", {});
}

export async function rename(name: string): Promise<AccountRefusal | null> {
  return call("/api/auth/update-user", { name });
}

/** Ends every other login too. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<AccountRefusal | null> {
  return call("/api/auth/change-password", { currentPassword, newPassword });
}

async function call(address: string, body: unknown): Promise<AccountRefusal | null> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      credentials: "same-origin",
    });
    if (answer.ok) return null;
    const said = (await answer.json().catch(() => null)) as { message?: unknown; field?: unknown } | null;
    const { message, field } = said ?? {};
    return {
      sentence: typeof message === "string" ? message : `The server answered ${answer.status}. Try again.`,
      field: typeof field === "string" ? field : "",
    };
  } catch {
    return { sentence: "The server cannot be reached. Try again.", field: "" };
  }
}
