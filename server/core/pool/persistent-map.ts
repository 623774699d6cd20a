/**
 * An immutable map from strings (a hash trie, 32 ways, as in Bagwell's HAMT): `set` and `delete` cost O(log32 n) and leave
 * the old map as it was. The pool's state is made of these, so that a snapshot is a handful of references and a batch
 * whose commit failed is simply forgotten. Order of iteration follows hashes and means nothing.
 */
interface Leaf<V> {
  readonly kind: "leaf";
  readonly hash: number;
  readonly key: string;
  value: V;
}
/** Keys with the same 32 bit hash. */
interface Clash<V> {
  readonly kind: "clash";
  readonly hash: number;
  leaves: readonly Leaf<V>[];
}
interface Fork<V> {
  readonly kind: "fork";
  bitmap: number;
  children: Node<V>[];
}
type Node<V> = Leaf<V> | Clash<V> | Fork<V>;

const BITS = 5;
const MASK = 31;

export class PersistentMap<V> {
  readonly size: number;
  readonly #root: Node<V> | null;

  private constructor(root: Node<V> | null, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>(null, 0);
  }

  /** Builds in place, much faster than one `set` after the other. */
  static from<V>(entries: Iterable<readonly [string, V]>): PersistentMap<V> {
    let root: Node<V> | null = null;
    const counter = { added: 0 };
    for (const [key, value] of entries) {
      const leaf: Leaf<V> = { kind: "leaf", hash: hashOf(key), key, value };
      if (root) root = put(root, leaf, 0, true, counter);
      else {
        root = leaf;
        counter.added += 1;
      }
    }
    return new PersistentMap(root, counter.added);
  }

  get(key: string): V | undefined {
    const hash = hashOf(key);
    let node = this.#root;
    let shift = 0;
    while (node) {
      if (node.kind === "leaf") return node.key === key ? node.value : undefined;
      if (node.kind === "clash") return node.leaves.find((leaf) => leaf.key === key)?.value;
      const bit = bitOf(hash, shift);
      if ((node.bitmap & bit) === 0) return undefined;
      node = node.children[indexIn(node.bitmap, bit)] ?? null;
      shift += BITS;
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): PersistentMap<V> {
    const leaf: Leaf<V> = { kind: "leaf", hash: hashOf(key), key, value };
    if (!this.#root) return new PersistentMap<V>(leaf, 1);
    const counter = { added: 0 };
    const root = put(this.#root, leaf, 0, false, counter);
    return new PersistentMap(root, this.size + counter.added);
  }

  delete(key: string): PersistentMap<V> {
    if (!this.#root) return this;
    const root = cut(this.#root, key, hashOf(key), 0);
    return root === this.#root ? this : new PersistentMap(root, this.size - 1);
  }

  *[Symbol.iterator](): IterableIterator<readonly [string, V]> {
    const open: Node<V>[] = this.#root ? [this.#root] : [];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.kind === "leaf") yield [node.key, node.value];
      else if (node.kind === "clash") for (const leaf of node.leaves) yield [leaf.key, leaf.value];
      else open.push(...node.children);
    }
  }
}

function put<V>(node: Node<V>, leaf: Leaf<V>, shift: number, inPlace: boolean, counter: { added: number }): Node<V> {
  if (node.kind === "fork") return putInFork(node, leaf, shift, inPlace, counter);
  if (node.kind === "leaf" && node.key === leaf.key) return leaf;
  if (node.hash !== leaf.hash) {
    counter.added += 1;
    return forkOf(node, leaf, shift);
  }
  const leaves = node.kind === "leaf" ? [node] : node.leaves;
  const others = leaves.filter((other) => other.key !== leaf.key);
  if (others.length === leaves.length) counter.added += 1;
  return { kind: "clash", hash: leaf.hash, leaves: [...others, leaf] };
}

function putInFork<V>(fork: Fork<V>, leaf: Leaf<V>, shift: number, inPlace: boolean, counter: { added: number }) {
  const bit = bitOf(leaf.hash, shift);
  const index = indexIn(fork.bitmap, bit);
  const old = (fork.bitmap & bit) === 0 ? undefined : fork.children[index];
  const child = old ? put(old, leaf, shift + BITS, inPlace, counter) : leaf;
  if (!old) counter.added += 1;
  if (inPlace && old) {
    fork.children[index] = child;
    return fork;
  }
  const children = old ? fork.children.slice() : withOneMore(fork.children, index, child);
  children[index] = child;
  if (!inPlace) return { kind: "fork", bitmap: fork.bitmap | bit, children } as const;
  fork.bitmap |= bit;
  fork.children = children;
  return fork;
}

/** Exactly as long as it has to be: one that grew keeps room for more, which in a million forks is much. */
function withOneMore<V>(children: readonly Node<V>[], index: number, child: Node<V>): Node<V>[] {
  const more = new Array<Node<V>>(children.length + 1);
  for (let i = 0; i < index; i += 1) more[i] = children[i] as Node<V>;
  more[index] = child;
  for (let i = index; i < children.length; i += 1) more[i + 1] = children[i] as Node<V>;
  return more;
}

/** Two nodes of different hashes under one fork, as deep as they share bits. */
function forkOf<V>(a: Leaf<V> | Clash<V>, b: Leaf<V>, shift: number): Fork<V> {
  const bitA = bitOf(a.hash, shift);
  const bitB = bitOf(b.hash, shift);
  if (bitA === bitB) return { kind: "fork", bitmap: bitA, children: [forkOf(a, b, shift + BITS)] };
  const aFirst = bitA >>> 0 < bitB >>> 0;
  return { kind: "fork", bitmap: bitA | bitB, children: aFirst ? [a, b] : [b, a] };
}

function cut<V>(node: Node<V>, key: string, hash: number, shift: number): Node<V> | null {
  if (node.kind === "leaf") return node.key === key ? null : node;
  if (node.kind === "clash") {
    const leaves = node.leaves.filter((leaf) => leaf.key !== key);
    if (leaves.length === node.leaves.length) return node;
    return leaves.length === 1 ? (leaves[0] ?? null) : { ...node, leaves };
  }
  const bit = bitOf(hash, shift);
  const index = indexIn(node.bitmap, bit);
  const old = (node.bitmap & bit) === 0 ? undefined : node.children[index];
  if (!old) return node;
  const child = cut(old, key, hash, shift + BITS);
  if (child === old) return node;
  const children = node.children.slice();
  if (child) children[index] = child;
  else children.splice(index, 1);
  if (children.length === 0) return null;
  const only = children[0];
  // A lone leaf moves up, so that a map that shrank is as small as one that never grew.
  if (children.length === 1 && only && only.kind !== "fork") return only;
  return { kind: "fork", bitmap: child ? node.bitmap : node.bitmap & ~bit, children };
}

function bitOf(hash: number, shift: number): number {
  return 1 << ((hash >>> shift) & MASK);
}

function indexIn(bitmap: number, bit: number): number {
  return popCount(bitmap & (bit - 1));
}

function popCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** FNV-1a with a final mix, so that ids that differ in their last letters spread. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 12);
}
