/** A binary heap: the smallest item first, adding and taking in O(log n). Unlike the sorted set it is changed in place. */
export class Heap<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #items: T[] = [];

  constructor(compare: (a: T, b: T) => number, items: Iterable<T> = []) {
    this.#compare = compare;
    for (const item of items) this.push(item);
  }

  first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = items[above] as T;
      if (this.#compare(parent, item) <= 0) break;
      items[at] = parent;
      at = above;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) this.#sink(last as T);
    return first;
  }

  /** Puts an item where the first one was. */
  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      const right = below + 1;
      if (right < items.length && this.#compare(items[right] as T, items[below] as T) < 0) below = right;
      if (this.#compare(item, items[below] as T) <= 0) break;
      items[at] = items[below] as T;
      at = below;
    }
    items[at] = item;
  }
}
