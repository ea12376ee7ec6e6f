/**
 * Finds words in what people write, however they are disguised; a library of its own. One automaton holds all terms,
 * one set holds all patterns, and no text makes either slower than in proportion to its length.
 *
 * ```ts
 * import { compileMatcher } from 'usher/text';
 *
 * const matcher = compileMatcher({
 *   lists: { slurs: { terms: ['slur'], match: 'word', allow: ['slur study'] } },
 *   patterns: [{ id: 'phone', source: '\\+?[0-9][0-9 ]{8,}' }],
 * });
 * matcher.scan('what a ѕ1.uur').hits('slurs'); // [{ term: 'slur', start: 7, end: 13, text: 'ѕ1.uur' }]
 * ```
 */
export { compileMatcher } from './compile-matcher.ts';
export type { ListSpec, Matcher, MatcherSpec, TextMatches } from './compile-matcher.ts';
export type { Placement } from './compile-terms.ts';
export { findLinks } from './find-links.ts';
export type { Link } from './find-links.ts';
export { foldWords } from './fold-text.ts';
export { FOLDS } from './folds.ts';
export type { Fold } from './folds.ts';
export type { Hit } from './hit.ts';
export { MatcherError } from './matcher-error.ts';
export type { MatcherProblem } from './matcher-error.ts';
export { parseTermList } from './parse-term-list.ts';
export type { TermListProblem } from './parse-term-list.ts';
export { patternProblem } from './patterns.ts';
export type { PatternSpec } from './patterns.ts';
export { skeleton } from './skeleton.ts';
