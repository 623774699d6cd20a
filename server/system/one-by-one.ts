/** What has one name goes one after the other, in this process. */

/** What runs or waits, by name; the last of each. */
export type UnderWay = Map<string, Promise<unknown>>;

/** Runs `act` when everything of the same name that began before is over. */
export async function oneByOne<T>(underWay: UnderWay, name: string, act: () => Promise<T>): Promise<T> {
  const before = underWay.get(name) ?? Promise.resolve();
  const mine = before.then(act, act);
  underWay.set(name, mine);
  try {
    return await mine;
  } finally {
    if (underWay.get(name) === mine) underWay.delete(name);
  }
}
