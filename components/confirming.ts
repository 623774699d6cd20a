/**
 * Does what may stop sessions, lose sight of work or bring marks of a conflict into the base, and asks once more when
 * the server names what that would be (S6). Never sends a yes that nobody gave: the first call has none.
 */
import { type client, type Refusal, refusalOf } from "./api";
import { ask, type Question } from "./ui/ask";

export type Confirmation = Parameters<typeof client.tasks.remove>[0]["query"];

export type Again = Pick<Question, "title" | "yes" | "no" | "instead">;

/** `isSaid`: what it ends was named in a question already, and the answer was yes. True: it is done. False: somebody said no, and nothing has changed. Throws every refusal but `CONFIRM`. */
export async function confirming(
  again: Again,
  act: (query: NonNullable<Confirmation>) => Promise<unknown>,
  isSaid = false,
): Promise<boolean> {
  try {
    await act(isSaid ? { confirm: "true" } : {});
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code !== "CONFIRM") throw error;
    if (!(await ask({ ...again, text: refusal.message, items: filesOf(refusal) }))) return false;
    await act({ confirm: "true" });
  }
  return true;
}

/** That the refusal names; often none. */
export function filesOf({ details }: Refusal): string[] {
  const { files } = details;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}
