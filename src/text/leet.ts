import { DISGUISES } from './lookalikes.ts';

/**
 * What digits, symbols, enclosed letters and letters of distant scripts may stand for. They are read so only in a second
 * pass: a digit stays a digit and a flag stays a flag for every other purpose.
 */
export const LEET: ReadonlyMap<number, string> = new Map([
  ...Array.from(DISGUISES, ([char, letter]): [number, string] => [char.codePointAt(0) ?? 0, letter]),
  ...Object.entries({
    '0': 'o',
    '1': 'il',
    '2': 'z',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '6': 'bg',
    '7': 't',
    '8': 'b',
    '9': 'g',
    '@': 'a',
    $: 's',
    '!': 'il',
    '|': 'il',
    '+': 't',
    '(': 'c',
    '<': 'c',
    '{': 'c',
    '[': 'c',
    '#': 'h',
    '¡': 'i',
    '€': 'e',
    '£': 'l',
    '¢': 'c',
    '¥': 'y',
    '₩': 'w',
    '§': 's',
    '×': 'x',
    '∀': 'a',
    '∃': 'e',
    '†': 't',
  }).map(([char, letters]): [number, string] => [char.codePointAt(0) ?? 0, letters]),
  ...[0x1f150, 0x1f170, 0x1f1e6].flatMap((firstOfAlphabet) =>
    Array.from({ length: 26 }, (_, i): [number, string] => [
      firstOfAlphabet + i,
      String.fromCharCode(0x61 + i),
    ]),
  ),
]);

/** Letters that one symbol may both stand for; a pass over keys tells them apart only afterwards. */
export const AMBIGUOUS: readonly string[] = ['il', 'bg'];
