import type { Fold } from './folds.ts';
import { LOOKALIKES } from './lookalikes.ts';

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]|(?![\t-\r\u0085])\p{Cc}/u;
const MARK = /\p{M}/u;
/** Vowel signs and voicing marks of other scripts make another letter, so only these are dropped. */
const DROPPED_MARK =
  /(?![\u3099\u309a])(?=[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Common}\p{Script=Syriac}])[\p{Mn}\p{Me}]/u;
const DIGIT = /\p{Nd}/u;
/** Their decomposition would glue letters to the word before them. */
const TRADE_SIGNS = new Set(['\u2120', '\u2121', '\u2122']);

const digitValue = (char: string): string => {
  let point = char.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(point - 1))) {
    point -= 1;
    value += 1;
  }
  return String(value);
};

const foldOnce = (letter: string, folds: ReadonlySet<Fold>): string => {
  if (TRADE_SIGNS.has(letter)) return letter;
  const lookalikes = folds.has('confusables');
  // Before any decomposition: Greek ϲ would become a sigma, and is read c.
  const whole = lookalikes ? LOOKALIKES.get(letter) : undefined;
  if (whole !== undefined) return whole;
  let folded = '';
  for (const part of letter.normalize(lookalikes ? 'NFKD' : 'NFD')) {
    if (folds.has('invisible') && INVISIBLE.test(part)) continue;
    if (folds.has('marks') && DROPPED_MARK.test(part)) continue;
    let read = part;
    if (lookalikes && DIGIT.test(read)) read = digitValue(read);
    if (lookalikes && read !== read.toLowerCase()) read = LOOKALIKES.get(read) ?? read;
    if (folds.has('case')) read = read.toUpperCase().toLowerCase();
    if (lookalikes) read = LOOKALIKES.get(read) ?? read;
    folded += read;
  }
  return folded.normalize('NFC');
};

/** Whether a character continues the letter before it: a mark, a half-width voicing mark, a Hangul vowel or final consonant. */
export const continuesLetter = (char: string): boolean =>
  MARK.test(char) || /[\u1160-\u11ff\uff9e\uff9f]/.test(char);

/**
 * One character (or one letter with its marks) as every writer of it meant it; the empty text where nothing is left.
 * Folding what is folded changes nothing.
 */
export const foldPoint = (char: string, folds: ReadonlySet<Fold>): string => {
  let folded = char;
  // A prototype can itself be decomposed or be looked up once more; chains are short and end.
  for (let round = 0; round < 6; round += 1) {
    const next = foldOnce(folded, folds);
    if (next === folded) return folded;
    folded = next;
  }
  return folded;
};
