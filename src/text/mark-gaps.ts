import { KIND } from './kind.ts';

/**
 * Marks the gaps that hide a word and answers whether there are any: punctuation without a space ("s.l.u.r", "sl-ur"),
 * and whatever separates three or more single letters in a row ("s l u r"). The gap of "push it" is none.
 */
export const markGaps = (points: readonly number[], kinds: number[]): boolean => {
  const { length } = kinds;
  const kindAt = (i: number): number => (i >= 0 && i < length ? (kinds[i] ?? 0) : KIND.space);
  let any = false;
  const mark = (from: number, to: number): void => {
    for (let i = from; i < to; i += 1) {
      const kind = kindAt(i);
      if ((kind & KIND.word) !== 0) continue;
      kinds[i] = kind | KIND.gap;
      any = true;
    }
  };
  /** A letter-like symbol that stands alone is a single letter too ("a $ $", "@.$.$"). */
  const aloneAt = (i: number): boolean =>
    (kindAt(i) & (KIND.word | KIND.leet)) === KIND.leet &&
    ((kindAt(i - 1) | kindAt(i + 1)) & (KIND.word | KIND.leet)) === 0;

  let wordEnd = -1;
  let spaced = true;
  let singles = 0;
  let singlesStart = 0;
  const endSingles = (): void => {
    if (singles >= 3) mark(singlesStart, wordEnd);
    singles = 0;
  };
  for (let i = 0; i < length;) {
    const alone = aloneAt(i);
    if (!alone && (kindAt(i) & KIND.word) === 0) {
      if ((kindAt(i) & KIND.space) !== 0) spaced = true;
      i += 1;
      continue;
    }
    const start = i;
    let single = true;
    i += 1;
    if (!alone) {
      for (; (kindAt(i) & KIND.word) !== 0; i += 1) if (points[i] !== points[start]) single = false;
    }
    if (!spaced) mark(wordEnd, start);
    if (!single) endSingles();
    else if (singles === 0) singlesStart = start;
    if (single) singles += 1;
    wordEnd = i;
    spaced = false;
  }
  endSingles();
  return any;
};
