import type { FoldedText } from './fold-text.ts';
import { KIND } from './kind.ts';

/** Letters that are words of their own, so that "u r a s l u r" holds the word while "c l a s s" holds no other. */
const LONE_WORDS: ReadonlySet<number> = new Set(
  Array.from('aiouryяи', (letter) => letter.codePointAt(0) ?? 0),
);
/** How many single letters are looked at beyond a spelled word; it bounds the work that a hostile text can ask for. */
const LONE_WORDS_LOOKED_AT = 8;

/**
 * Whether a word may begin (`direction` -1) or end (+1) at entry `at`: its neighbour is no letter or number, or one of
 * the two is of a script written without spaces. In the squeezed view each letter of a spelled-out word would pass, so
 * there the other letters up to the end of the spelling must be words themselves.
 */
export const isWordEdge = (folded: FoldedText, at: number, direction: -1 | 1, squeezed: boolean): boolean => {
  const { kinds, points, length } = folded;
  const kindAt = (i: number): number => (i >= 0 && i < length ? (kinds[i] ?? 0) : KIND.space);
  const neighbour = kindAt(at + direction);
  if ((neighbour & KIND.word) !== 0) return ((neighbour | kindAt(at)) & KIND.unspaced) !== 0;
  if (!squeezed) return true;
  let i = at + direction;
  for (let looked = 0; looked < LONE_WORDS_LOOKED_AT; looked += 1) {
    while ((kindAt(i) & KIND.gap) !== 0) i += direction;
    if ((kindAt(i) & KIND.word) === 0 || (kindAt(i + direction) & KIND.word) !== 0) return true;
    if (!LONE_WORDS.has(points[i] ?? 0)) return false;
    i += direction;
  }
  return true;
};
