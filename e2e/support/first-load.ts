/** How much script a page names itself, in its head or among its data: what a browser fetches before the page can be used. */
import { gzipSync } from "node:zlib";
import type { Person } from "./person";

/** Most that the board may load first, in KB (1,000 bytes) of gzip. */
export const SCRIPT_MAX_KB = 200;

/** Sizes in KB by path, as gzip makes them whatever the server chose; left out is what only browsers without modules fetch. */
export async function scriptsOf(person: Person, address: string): Promise<Map<string, number>> {
  const get = async (url: string | URL) => {
    const answer = await fetch(url, { headers: { cookie: person.cookie } });
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return answer;
  };
  const html = await (await get(address)).text();
  const old = new Set([...html.matchAll(/<script[^>]+src="([^"]+)"[^>]+nomodule/gi)].map(([, src]) => src));
  const named = new Set([...html.matchAll(/\/_next\/static\/[\w./-]+\.js/g)].map(([path]) => path));
  const sizes = new Map<string, number>();
  for (const path of [...named].filter((path) => !old.has(path))) {
    const script = Buffer.from(await (await get(new URL(path, address))).arrayBuffer());
    sizes.set(path, gzipSync(script).length / 1_000);
  }
  return sizes;
}
