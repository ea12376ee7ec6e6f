/** An Aho-Corasick automaton as a double array; state 0 is none, state 1 the start. Keys are whole numbers above 0. */
export interface Automaton {
  /** The state after `key` in `state`; key 0 is in no pattern and leads to the start. */
  readonly step: (state: number, key: number) => number;
  /** The first state, from here down the suffixes, in which a pattern ends; 0 for none. */
  readonly ending: Int32Array;
  /** The pattern that ends in a state, by its index. */
  readonly pattern: Int32Array;
  /** Where to look for the next, shorter pattern that ends here too. */
  readonly suffix: Int32Array;
  readonly start: number;
}

interface Node {
  readonly state: number;
  /** The node's patterns: those from `from` to before `to` in sorted order share their first `depth` keys. */
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

const START = 1;

/** Builds the automaton of patterns, each a text whose UTF-16 units are its keys; equal patterns must be merged before. */
export const buildAutomaton = (patterns: readonly string[]): Automaton => {
  const order = Array.from(patterns.keys()).sort((a, b) => {
    const left = patterns[a] ?? '';
    const right = patterns[b] ?? '';
    return left < right ? -1 : Number(left > right);
  });
  let size = 1 << 12;
  let base = new Int32Array(size);
  let check = new Int32Array(size);
  let fail = new Int32Array(size);
  let pattern = new Int32Array(size).fill(-1);
  const grown = (old: Int32Array, fill: number): Int32Array<ArrayBuffer> => {
    const next = new Int32Array(size).fill(fill, old.length);
    next.set(old);
    return next;
  };
  const reserve = (slot: number): void => {
    if (slot < size) return;
    while (slot >= size) size *= 2;
    base = grown(base, 0);
    check = grown(check, 0);
    fail = grown(fail, 0);
    pattern = grown(pattern, -1);
  };
  const step = (from: number, key: number): number => {
    if (key === 0) return START;
    for (let state = from; ; state = fail[state] ?? START) {
      const slot = (base[state] ?? 0) + key;
      if (check[slot] === state) return slot;
      if (state === START) return START;
    }
  };

  let firstFree = START + 1;
  let highest = START;
  /** The lowest base at which all keys find a free slot; a crowded stretch is given up, so that building stays fast. */
  const place = (keys: readonly number[]): number => {
    const lowest = keys[0] ?? 0;
    let taken = 0;
    for (let slot = Math.max(firstFree, lowest + 1); ; slot += 1) {
      reserve(slot + (keys.at(-1) ?? 0));
      if (check[slot] !== 0) {
        taken += 1;
        continue;
      }
      const candidate = slot - lowest;
      if (!keys.every((key) => check[candidate + key] === 0)) continue;
      if (taken * 20 >= (slot - firstFree + 1) * 19) firstFree = slot;
      return candidate;
    }
  };

  const nodes: Node[] = [{ state: START, from: 0, to: order.length, depth: 0 }];
  check[START] = -1;
  fail[START] = START;
  const keyAt = (index: number, depth: number): number =>
    (patterns[order[index] ?? 0] ?? '').charCodeAt(depth);
  // Breadth first: a state's suffix is shorter and so has its place already.
  for (let n = 0; n < nodes.length; n += 1) {
    const node = nodes[n];
    if (node === undefined) break;
    let { from } = node;
    const whole = order[from];
    if (whole !== undefined && patterns[whole]?.length === node.depth) {
      pattern[node.state] = whole;
      from += 1;
    }
    const keys: number[] = [];
    const bounds: number[] = [];
    for (let i = from; i < node.to; i += 1) {
      const key = keyAt(i, node.depth);
      if (key === keys.at(-1)) continue;
      keys.push(key);
      bounds.push(i);
    }
    bounds.push(node.to);
    if (keys.length === 0) continue;
    const at = place(keys);
    base[node.state] = at;
    for (const [i, key] of keys.entries()) {
      const state = at + key;
      check[state] = node.state;
      highest = Math.max(highest, state);
      fail[state] = node.state === START ? START : step(fail[node.state] ?? START, key);
      nodes.push({ state, from: bounds[i] ?? 0, to: bounds[i + 1] ?? 0, depth: node.depth + 1 });
    }
  }

  const ending = new Int32Array(highest + 1);
  const suffix = new Int32Array(highest + 1);
  for (const { state } of nodes) {
    const shorter = state === START ? 0 : (ending[fail[state] ?? START] ?? 0);
    suffix[state] = shorter;
    ending[state] = (pattern[state] ?? -1) >= 0 ? state : shorter;
  }
  return { step, ending, pattern, suffix, start: START };
};
