import { RE2JS, RE2JSException, RE2Set } from 're2js';
import type { Hit } from './hit.ts';
import { withUnicodeBoundaries } from './unicode-boundary.ts';

/** A pattern in RE2's syntax, which is linear in the text. */
export interface PatternSpec {
  readonly id: string;
  readonly source: string;
  /** Any of `i` (case), `m` (`^` and `$` at lines) and `s` (`.` matches line ends). */
  readonly flags?: string;
  /** What it reads: the text as written (the default), or folded as lists fold it, without leet, repeats and spacing. */
  readonly reads?: 'original' | 'folded';
}

/** Why RE2 cannot run a pattern, or nothing when it can. */
export const patternProblem = (source: string, flags = ''): string | undefined => {
  const unknown = Array.from(flags).find((flag) => !'ims'.includes(flag));
  if (unknown !== undefined) return `unknown flag "${unknown}": a pattern may have i, m and s`;
  if (source === '') return 'the pattern is empty and would match every text';
  try {
    RE2JS.compile(flagged(source, flags));
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return (
      `${error.message}: patterns run in linear time, so look-around, back-references and repeats ` +
      'over 1000 do not exist; write it without them, or use a list'
    );
  }
};

const flagged = (source: string, flags: string): string => {
  const bounded = withUnicodeBoundaries(source).source;
  return flags === '' ? bounded : `(?${flags})${bounded}`;
};

/** More places of one pattern in one text than this are not listed: finding each may cost a look at the whole rest. */
const MOST_HITS = 100;
const OUTSIDE = /^[^\p{L}\p{N}\p{M}_]$/u;

/** All patterns in one automaton, and each alone for its places. */
export interface PatternSet {
  /** The ids of the patterns that match somewhere. */
  matching(text: string): ReadonlySet<string>;
  /** Where a pattern matches, from left to right. */
  hits(id: string, text: string): Hit[];
}

/** Compiles patterns that `patternProblem` has found nothing wrong with. */
export const compilePatterns = (specs: readonly PatternSpec[]): PatternSet => {
  const set = new RE2Set();
  const single = new Map(
    specs.map(({ id, source, flags = '' }) => {
      const expression = flagged(source, flags);
      set.add(expression);
      const { trimStart, trimEnd } = withUnicodeBoundaries(source);
      return [id, { source, trimStart, trimEnd, expression: RE2JS.compile(expression) }];
    }),
  );
  set.compile();
  return {
    matching: (text) =>
      specs.length === 0 ? new Set() : new Set(set.match(text).map((index) => specs[index]?.id ?? '')),
    hits: (id, text) => {
      const pattern = single.get(id);
      const hits: Hit[] = [];
      if (pattern === undefined) return hits;
      const matcher = pattern.expression.matcher(text);
      for (let from = 0; from <= text.length && hits.length < MOST_HITS && matcher.find(from);) {
        let start = matcher.start();
        let end = matcher.end();
        const firstChar = String.fromCodePoint(text.codePointAt(start) ?? 0);
        if (pattern.trimStart && start < end && OUTSIDE.test(firstChar)) start += firstChar.length;
        const lastChar = Array.from(text.slice(Math.max(start, end - 2), end)).at(-1) ?? '';
        if (pattern.trimEnd && start < end && OUTSIDE.test(lastChar)) end -= lastChar.length;
        hits.push({ term: pattern.source, start, end, text: text.slice(start, end) });
        from = end > from ? end : from + 1;
      }
      return hits;
    },
  };
};
