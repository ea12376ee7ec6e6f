/** Edits (insert, delete, replace, swap of neighbours) from one word to another. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The known word that is nearest to `word` by edits; undefined when none is near. */
export function closest(word: string, known: Iterable<string>): string | undefined {
  const asked = word.slice(0, 64).toLowerCase();
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const edits = distance(asked, name.toLowerCase());
    if (best === undefined || edits < best.edits) best = { name, edits };
  }
  return best !== undefined && best.edits <= Math.max(1, Math.floor(asked.length / 3))
    ? best.name
    : undefined;
}
