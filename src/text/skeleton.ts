import { foldWords } from './fold-text.ts';
import { LEET } from './leet.ts';

/** Groups of letters that read alike in a screen name, whatever its font, and what stands for all of them. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[il]/g, 'l'],
];

/**
 * What a name looks like: two names that people cannot tell apart at a glance have the same skeleton, as in UTS #39
 * (there without case), "Аdmin" with a Cyrillic А, "ADM1N" and "a d m i n" alike. For comparing, never for showing.
 */
export const skeleton = (name: string): string => {
  const letters = Array.from(foldWords(Array.from(name.normalize('NFKC'), readSymbol).join('')), readDigit);
  return ALIKE.reduce((text, [from, to]) => text.replace(from, to), letters.join('').replaceAll(' ', ''));
};

const isEnclosed = (char: string): boolean => (char.codePointAt(0) ?? 0) >= 0x1f150;
const read = (char: string): string => LEET.get(char.codePointAt(0) ?? 0)?.[0] ?? char;
const readSymbol = (char: string): string => (isEnclosed(char) || /[@$!|€£]/.test(char) ? read(char) : char);
const readDigit = (char: string): string => (char === '0' || char === '1' ? read(char) : char);
