/** For tests and benchmarks of a whole server: somebody who has an account and calls the API with their cookie. */

/** Answers the body, as JSON or as text; throws what was refused. */
export type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>;

export async function signUp(url: string, name: string): Promise<Ask & { readonly cookie: string }> {
  const base = { "content-type": "application/json", origin: url };
  const account = JSON.stringify({ name, email: `${name}@example.com`, password: "correct horse battery" });
  const welcome = await fetch(`${url}/api/auth/sign-up/email`, { method: "POST", body: account, headers: base });
  if (!welcome.ok) throw new Error(`sign-up: ${welcome.status} ${await welcome.text()}`);
  const cookies = welcome.headers.getSetCookie().map((one) => one.split(";")[0]);
  const headers = { ...base, cookie: cookies.join("; ") };
  const ask = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const isJson = answer.headers.get("content-type")?.includes("json");
    return (isJson ? await answer.json() : await answer.text()) as T;
  };
  return Object.assign(ask, { cookie: headers.cookie });
}
