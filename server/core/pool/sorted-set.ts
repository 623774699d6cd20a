/**
 * An immutable ordered set that knows how many items stand before each (a weight-balanced tree; Adams' algorithm with the
 * proved parameters 3 and 2). Adding and removing cost O(log n) and leave the old set as it was, which is what makes
 * rolling back a batch and keeping old snapshots free. It never changes an item. Items that compare as 0 are the same.
 */
export type Compare<T> = (a: T, b: T) => number;

interface Branch<T> {
  readonly item: T;
  readonly left: Tree<T>;
  readonly right: Tree<T>;
  readonly size: number;
}
type Tree<T> = Branch<T> | null;

export class SortedSet<T> {
  readonly #compare: Compare<T>;
  readonly #root: Tree<T>;

  private constructor(compare: Compare<T>, root: Tree<T>) {
    this.#compare = compare;
    this.#root = root;
  }

  static empty<T>(compare: Compare<T>): SortedSet<T> {
    return new SortedSet(compare, null);
  }

  /** From items in any order: O(n log n), and O(n) when they are in order already. */
  static of<T>(compare: Compare<T>, items: readonly T[]): SortedSet<T> {
    const inOrder = items.every((item, i) => i === 0 || compare(items[i - 1] as T, item) < 0);
    if (inOrder) return new SortedSet(compare, build(items, 0, items.length));
    return items.reduce((set, item) => set.with(item), SortedSet.empty(compare));
  }

  get size(): number {
    return size(this.#root);
  }

  first(): T | undefined {
    let tree = this.#root;
    while (tree?.left) tree = tree.left;
    return tree?.item;
  }

  last(): T | undefined {
    let tree = this.#root;
    while (tree?.right) tree = tree.right;
    return tree?.item;
  }

  at(index: number): T | undefined {
    let tree = this.#root;
    let rest = index;
    while (tree) {
      const before = size(tree.left);
      if (rest === before) return tree.item;
      if (rest < before) tree = tree.left;
      else {
        rest -= before + 1;
        tree = tree.right;
      }
    }
    return undefined;
  }

  /** How many items stand before this one; -1 when it is not in the set. */
  indexOf(item: T): number {
    let tree = this.#root;
    let before = 0;
    while (tree) {
      const order = this.#compare(item, tree.item);
      if (order === 0) return before + size(tree.left);
      if (order < 0) tree = tree.left;
      else {
        before += size(tree.left) + 1;
        tree = tree.right;
      }
    }
    return -1;
  }

  with(item: T): SortedSet<T> {
    return new SortedSet(this.#compare, insert(this.#compare, this.#root, item));
  }

  without(item: T): SortedSet<T> {
    const root = remove(this.#compare, this.#root, item);
    return root === this.#root ? this : new SortedSet(this.#compare, root);
  }

  *[Symbol.iterator](): IterableIterator<T> {
    const above: Branch<T>[] = [];
    let tree = this.#root;
    while (tree || above.length > 0) {
      while (tree) {
        above.push(tree);
        tree = tree.left;
      }
      const next = above.pop();
      if (!next) return;
      yield next.item;
      tree = next.right;
    }
  }
}

function size<T>(tree: Tree<T>): number {
  return tree ? tree.size : 0;
}

function branch<T>(left: Tree<T>, item: T, right: Tree<T>): Branch<T> {
  return { item, left, right, size: size(left) + size(right) + 1 };
}

function build<T>(items: readonly T[], from: number, to: number): Tree<T> {
  if (from >= to) return null;
  const middle = (from + to) >> 1;
  return branch(build(items, from, middle), items[middle] as T, build(items, middle + 1, to));
}

function insert<T>(compare: Compare<T>, tree: Tree<T>, item: T): Branch<T> {
  if (!tree) return branch(null, item, null);
  const order = compare(item, tree.item);
  if (order === 0) return { ...tree, item };
  if (order < 0) return balanced(insert(compare, tree.left, item), tree.item, tree.right);
  return balanced(tree.left, tree.item, insert(compare, tree.right, item));
}

function remove<T>(compare: Compare<T>, tree: Tree<T>, item: T): Tree<T> {
  if (!tree) return null;
  const order = compare(item, tree.item);
  if (order < 0) {
    const left = remove(compare, tree.left, item);
    return left === tree.left ? tree : balanced(left, tree.item, tree.right);
  }
  if (order > 0) {
    const right = remove(compare, tree.right, item);
    return right === tree.right ? tree : balanced(tree.left, tree.item, right);
  }
  if (!tree.left) return tree.right;
  if (!tree.right) return tree.left;
  let next: Branch<T> = tree.right;
  while (next.left) next = next.left;
  return balanced(tree.left, next.item, remove(compare, tree.right, next.item));
}

/** Joins two trees whose sizes are at most one step out of balance. */
function balanced<T>(left: Tree<T>, item: T, right: Tree<T>): Branch<T> {
  if (right && isTooHeavy(right, left)) {
    if (right.left && !isSingle(right.left, right.right)) {
      const middle = right.left;
      return branch(branch(left, item, middle.left), middle.item, branch(middle.right, right.item, right.right));
    }
    return branch(branch(left, item, right.left), right.item, right.right);
  }
  if (left && isTooHeavy(left, right)) {
    if (left.right && !isSingle(left.right, left.left)) {
      const middle = left.right;
      return branch(branch(left.left, left.item, middle.left), middle.item, branch(middle.right, item, right));
    }
    return branch(left.left, left.item, branch(left.right, item, right));
  }
  return branch(left, item, right);
}

function isTooHeavy<T>(heavy: Tree<T>, light: Tree<T>): boolean {
  return size(heavy) + 1 > 3 * (size(light) + 1);
}

/** Whether one rotation is enough: the inner subtree is small beside the outer one. */
function isSingle<T>(inner: Tree<T>, outer: Tree<T>): boolean {
  return size(inner) + 1 < 2 * (size(outer) + 1);
}
