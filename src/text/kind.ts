import { LEET } from './leet.ts';

/** Bits that say what a folded character is. */
export const KIND = {
  /** A letter, number or mark: what words are made of. */
  word: 1,
  space: 2,
  /** May stand for a letter (`LEET`). */
  leet: 4,
  /** Stands between letters that the squeezed view reads as one word. */
  gap: 8,
  /** Of a script written without spaces: a word may begin and end on either side of it. */
  unspaced: 16,
} as const;

const WORD = /[\p{L}\p{N}\p{M}]/u;
const SPACE = /[\s\p{Z}\u2800]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The bits of one folded character; `gap` depends on its neighbours and comes from `markGaps`. */
export const kindOf = (char: string): number => {
  const leet = LEET.has(char.codePointAt(0) ?? 0) ? KIND.leet : 0;
  if (WORD.test(char)) return leet | KIND.word | (UNSPACED.test(char) ? KIND.unspaced : 0);
  return SPACE.test(char) ? KIND.space : leet;
};
