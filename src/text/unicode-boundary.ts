/**
 * RE2 knows `\b` for ASCII only, so that `\bслово\b` would never match. At the outer ends of a pattern, where nearly all
 * of them stand, it is written as what it means: the end of the text or a character that belongs to no word.
 */
const OUTSIDE = '[^\\p{L}\\p{N}\\p{M}_]';
const BEFORE = `(?:\\A|${OUTSIDE})`;
const AFTER = `(?:\\z|${OUTSIDE})`;
/** `\b` before a symbol means the contrary: there must be a word before it. */
const STARTS_WITH_SYMBOL = /^(?:\\[^\p{L}\p{N}]|[^\p{L}\p{N}\p{M}_([\\.])/u;
const ENDS_WITH_SYMBOL = /\\[^\p{L}\p{N}]$/u;

/** The alternatives of a pattern that stand outside of all parentheses. */
const alternativesOf = (source: string): string[] => {
  const alternatives: string[] = [];
  let depth = 0;
  let inClass = false;
  let from = 0;
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i];
    if (char === '\\') i += 1;
    else if (inClass) inClass = char !== ']';
    else if (char === '[') inClass = true;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    else if (char === '|' && depth === 0) {
      alternatives.push(source.slice(from, i));
      from = i + 1;
    }
  }
  return [...alternatives, source.slice(from)];
};

/** A pattern whose match may hold one character too many at either end. */
export interface BoundedPattern {
  readonly source: string;
  readonly trimStart: boolean;
  readonly trimEnd: boolean;
}

/** Gives the outer `\b` of each alternative its Unicode meaning. */
export const withUnicodeBoundaries = (source: string): BoundedPattern => {
  let trimStart = false;
  let trimEnd = false;
  const alternatives = alternativesOf(source).map((alternative) => {
    let core = alternative;
    let before = '';
    let after = '';
    if (core.startsWith('\\b') && !STARTS_WITH_SYMBOL.test(core.slice(2))) {
      core = core.slice(2);
      before = BEFORE;
      trimStart = true;
    }
    const tail = /(\\+)b$/.exec(core)?.[1] ?? '';
    if (tail.length % 2 === 1 && !ENDS_WITH_SYMBOL.test(core.slice(0, -2))) {
      core = core.slice(0, -2);
      after = AFTER;
      trimEnd = true;
    }
    return `${before}${core}${after}`;
  });
  return { source: alternatives.join('|'), trimStart, trimEnd };
};
