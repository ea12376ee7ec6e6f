const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u;
const DOTS: ReadonlySet<string> = new Set(['。', '．', '｡', '․', '﹒']);
const BRACKETED_DOT = /^[[({]\s?(?:\.|dot|punkt|point)\s?[\])}]/i;
const LONGEST_BRACKETED_DOT = 10;

/** A text without what keeps programs from seeing its links, and the way back. */
export interface Undisguised {
  readonly text: string;
  /** Where each UTF-16 unit of `text` begins and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Drops invisible characters; makes full-width and mathematical letters plain; `[.]`, `(dot)` and other dots become dots. */
export const undisguise = (original: string): Undisguised => {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < original.length;) {
    const start = i;
    let char = original[i] ?? '';
    if (char > '\u007f') char = String.fromCodePoint(original.codePointAt(i) ?? 0);
    i += char.length;
    if (char > '\u007f') {
      if (INVISIBLE.test(char)) continue;
      if (DOTS.has(char)) char = '.';
      else if (LETTER_OR_NUMBER.test(char) || (char >= '！' && char <= '～')) char = char.normalize('NFKC');
    } else if (char === '[' || char === '(' || char === '{') {
      const dot = BRACKETED_DOT.exec(original.slice(start, start + LONGEST_BRACKETED_DOT));
      if (dot !== null) {
        char = '.';
        i = start + dot[0].length;
      }
    }
    text += char;
    for (let unit = 0; unit < char.length; unit += 1) {
      starts.push(start);
      ends.push(i);
    }
  }
  return { text, starts, ends };
};
