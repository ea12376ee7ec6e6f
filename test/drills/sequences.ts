/** What `list` has more often than `other`, each as often as that. */
export function surplus(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

/** How many of `given`, at their first time, come after one that should have come later. */
export function inversions(order: readonly string[], given: readonly string[]): number {
  const position = new Map(order.map((one, index) => [one, index]));
  let furthest = -1;
  let late = 0;
  for (const one of new Set(given)) {
    const at = position.get(one);
    if (at === undefined) continue;
    if (at < furthest) late += 1;
    furthest = Math.max(furthest, at);
  }
  return late;
}

/** The value below which the share of them lies, by the nearest rank; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
