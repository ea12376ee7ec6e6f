import type { FoldedText } from './fold-text.ts';
import type { Fold } from './folds.ts';
import { KIND } from './kind.ts';
import { readingsOf, type View } from './view.ts';

/** The separator of words inside a term; any run of separators in the text equals it. */
export const SPACE_POINT = 0x20;

/** Punctuation that only joins the words of a term; every other symbol of a term is meant literally. */
const JOINER = /[\s\p{Z}\u2800\p{Pd}\p{Pc}'’.,/\\·]/u;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/** The letters of a term as the automaton sees them: folded, with one space between words. */
export const pointsOfTerm = (folded: FoldedText): number[] => {
  const points: number[] = [];
  for (let i = 0; i < folded.length; i += 1) {
    const point = folded.points[i] ?? 0;
    const literal = ((folded.kinds[i] ?? 0) & KIND.word) !== 0 || !JOINER.test(String.fromCodePoint(point));
    if (literal) points.push(point);
    else if (points.length > 0 && points.at(-1) !== SPACE_POINT) points.push(SPACE_POINT);
  }
  if (points.at(-1) === SPACE_POINT) points.pop();
  return points;
};

/** How strictly a stretch of text must spell a term. */
export interface Spelling {
  readonly folds: ReadonlySet<Fold>;
  /** Letters before the term, in the same run, do not matter. */
  readonly freeStart: boolean;
  readonly freeEnd: boolean;
}

/**
 * Whether entries `first` to `last`, read through a view, spell the term: each letter at least as often as in the term
 * ("sluur" is "slur", "as" is not "ass"), digits exactly as often.
 */
export const spells = (
  term: readonly number[],
  folded: Pick<FoldedText, 'points' | 'kinds'>,
  first: number,
  last: number,
  view: View,
  { folds, freeStart, freeEnd }: Spelling,
): boolean => {
  const leet = folds.has('leet');
  const repeats = folds.has('repeats');
  // reached[j]: the text so far spells the first j letters of the term.
  const reached = new Uint8Array(term.length + 1);
  reached[0] = 1;
  let highest = 0;
  for (let i = first; i <= last; i += 1) {
    const kind = folded.kinds[i] ?? 0;
    const point = folded.points[i] ?? 0;
    const readings = leet ? readingsOf(point, kind, view) : [];
    const separates = (kind & KIND.word) === 0 && readings.length === 0;
    if (separates && view.squeezed && (kind & KIND.gap) !== 0) continue;
    let any = false;
    for (let j = Math.min(highest + 1, term.length); j >= 1; j -= 1) {
      const wanted = term[j - 1] ?? 0;
      const fits = point === wanted || readings.includes(wanted) || (separates && wanted === SPACE_POINT);
      const mayRepeat = wanted === SPACE_POINT || (repeats && (wanted < DIGIT_0 || wanted > DIGIT_9));
      const now = fits && (reached[j - 1] === 1 || (reached[j] === 1 && mayRepeat));
      reached[j] = now ? 1 : 0;
      if (!now) continue;
      any = true;
      if (j > highest) highest = j;
    }
    if (!freeStart) reached[0] = 0;
    if (freeEnd && reached[term.length] === 1) return true;
    if (!any && !freeStart) return false;
  }
  return reached[term.length] === 1;
};
