/** Something found, with its place in the text as it was written (UTF-16 units, `end` exclusive). */
export interface Hit {
  /** The term of the list, or the source of the pattern. */
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** What stands there: `text.slice(start, end)`. */
  readonly text: string;
}

/** Sorted by place, each once. */
export const inOrder = (hits: readonly Hit[]): Hit[] => {
  const order = [...hits].sort(
    (a, b) => a.start - b.start || a.end - b.end || (a.term < b.term ? -1 : Number(a.term > b.term)),
  );
  return order.filter((hit, i) => {
    const before = order[i - 1];
    return before?.start !== hit.start || before.end !== hit.end || before.term !== hit.term;
  });
};

/** The hits that no allowed stretch covers wholly. */
export const unshielded = (hits: readonly Hit[], allowed: readonly Hit[]): readonly Hit[] => {
  if (allowed.length === 0) return hits;
  const shields = inOrder(allowed);
  let next = 0;
  let reach = -1;
  return hits.filter((hit) => {
    for (; next < shields.length; next += 1) {
      const shield = shields[next];
      if (shield === undefined || shield.start > hit.start) break;
      reach = Math.max(reach, shield.end);
    }
    return hit.end > reach;
  });
};

/** Hits in order without those that only show a term again where it was seen: "slur.r" holds it once, in two views. */
export const withoutEchoes = (hits: readonly Hit[]): readonly Hit[] => {
  const ends = new Map<string, number>();
  return hits.filter(({ term, start, end }) => {
    const before = ends.get(term) ?? 0;
    if (start < before) return false;
    ends.set(term, end);
    return true;
  });
};
