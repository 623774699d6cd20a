/** Waits until something is so, instead of sleeping and hoping. Fails with what it waited for. */
export async function waitFor<T>(
  look: () => T | null | false | undefined | Promise<T | null | false | undefined>,
  what: string,
  timeoutMs = 15_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false && found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await new Promise((resume) => setTimeout(resume, 15));
  }
}
