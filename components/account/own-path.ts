/** A place to go to after signing in, from the address bar: only a path of ours, so nobody is led elsewhere (S3). */
export function ownPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith("/")) return "/";
  const base = "http://camelot.invalid";
  try {
    const address = new URL(text, base);
    return address.origin === base ? `${address.pathname}${address.search}` : "/";
  } catch {
    return "/";
  }
}
