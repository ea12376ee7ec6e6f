/** A line of a list file that is no term. */
export interface TermListProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Longer than any word or phrase: most likely a file of another kind. */
const LONGEST_TERM = 200;

/** Reads a list file: one term a line, `#` at the start of a line or after a space begins a comment. */
export const parseTermList = (
  text: string,
): { readonly terms: readonly string[]; readonly problems: readonly TermListProblem[] } => {
  const firstLines = new Map<string, number>();
  const problems: TermListProblem[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|[\n\r]/);
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const comment = raw.startsWith('#') ? 0 : raw.search(/[ \t]#/);
    const term = (comment < 0 ? raw : raw.slice(0, comment)).trim();
    const before = firstLines.get(term);
    if (term === '') continue;
    if (before !== undefined) {
      problems.push({ line, message: `"${term}" is already on line ${before}; remove one of the two` });
    } else if (term.length > LONGEST_TERM) {
      problems.push({
        line,
        message: `this line has ${term.length} characters, which is no term; write one term on each line`,
      });
    } else if (!/[\p{L}\p{N}\p{S}\p{P}]/u.test(term)) {
      problems.push({ line, message: 'this line has no visible character; remove it' });
    } else {
      firstLines.set(term, line);
    }
  }
  return { terms: Array.from(firstLines.keys()), problems };
};
