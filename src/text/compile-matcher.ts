import { compileTerms, type Placement, type WordList } from './compile-terms.ts';
import { compileDomains, type DomainList } from './domain-list.ts';
import { findLinks, type Link } from './find-links.ts';
import { createFolder, type FoldedText } from './fold-text.ts';
import { type Fold, FOLDS } from './folds.ts';
import { type Hit, inOrder, unshielded, withoutEchoes } from './hit.ts';
import { MatcherError, type MatcherProblem } from './matcher-error.ts';
import { compilePatterns, patternProblem, type PatternSpec } from './patterns.ts';
import { scanTerms } from './scan-terms.ts';

/** A list of terms and how they are looked for. */
export interface ListSpec {
  readonly terms: readonly string[];
  /** Where in a word a term must stand, or `domain` for the hosts of links; `word` by default. */
  readonly match?: Placement | 'domain';
  /** Which disguises are seen through; all of them by default. */
  readonly fold?: readonly Fold[];
  /** Words (or domains) that are innocent although they hold a term; each shields only what it covers. */
  readonly allow?: readonly string[];
}

/** What a matcher is made of. */
export interface MatcherSpec {
  readonly lists?: Readonly<Record<string, ListSpec>>;
  readonly patterns?: readonly PatternSpec[];
}

/** All that a matcher finds in one text; each answer is worked out once, when it is first asked for. */
export interface TextMatches {
  readonly text: string;
  /** What a list finds, from left to right; throws for a list that the matcher does not have. */
  hits(list: string): readonly Hit[];
  /** Where a pattern matches, the first hundred places; throws for a pattern that the matcher does not have. */
  patternHits(id: string): readonly Hit[];
  readonly links: readonly Link[];
}

/** Lists and patterns, compiled; keeps no state of the texts that it has seen. */
export interface Matcher {
  scan(text: string): TextMatches;
  /** How many terms all lists have together. */
  readonly size: number;
}

const NO_HITS: readonly Hit[] = [];

const once = <T>(work: () => T): (() => T) => {
  let done: { readonly value: T } | undefined;
  return () => (done ??= { value: work() }).value;
};

/** A pattern's places in a folded text, as places in the text itself. */
const inOriginal = (hit: Hit, folded: FoldedText, unitEntry: readonly number[]): Hit => {
  const first = unitEntry[hit.start] ?? folded.length;
  const last = unitEntry[Math.max(hit.start, hit.end - 1)] ?? folded.length - 1;
  const start = folded.starts[first] ?? folded.text.length;
  const end = hit.end > hit.start ? (folded.ends[last] ?? start) : start;
  return { term: hit.term, start, end, text: folded.text.slice(start, end) };
};

/**
 * Compiles the lists and patterns of a bot into one automaton and one set of patterns.
 *
 * @throws {MatcherError} with every problem of the specification at once.
 */
export const compileMatcher = ({ lists = {}, patterns = [] }: MatcherSpec): Matcher => {
  const problems: MatcherProblem[] = [];
  const folder = createFolder();
  const words: WordList[] = [];
  const domains = new Map<string, DomainList>();
  const ids = new Set<string>();
  for (const { id, source, flags } of patterns) {
    const problem = ids.has(id) ? 'there is another pattern with this id' : patternProblem(source, flags);
    ids.add(id);
    if (problem !== undefined) problems.push({ pattern: id, message: problem });
  }
  for (const [name, { terms, match = 'word', fold = FOLDS, allow = [] }] of Object.entries(lists)) {
    if (match === 'domain') {
      const refuse = (term: string): void => {
        problems.push({
          list: name,
          term,
          message: `"${term}" is no domain name; write it like "example.com"`,
        });
      };
      domains.set(name, compileDomains(terms, allow, refuse));
    } else {
      words.push({ name, terms, allow, placement: match, folds: new Set(fold) });
    }
  }
  const compiled = compileTerms(words, folder, (list, term) => {
    problems.push({ list, term, message: `"${term}" has no letter, digit or symbol that could be found` });
  });
  if (problems.length > 0) throw new MatcherError(problems);
  const wordLists = new Set(words.map(({ name }) => name));
  const original = compilePatterns(patterns.filter(({ reads = 'original' }) => reads === 'original'));
  const onFolded = compilePatterns(patterns.filter(({ reads }) => reads === 'folded'));
  const readsFolded = new Set(patterns.filter(({ reads }) => reads === 'folded').map(({ id }) => id));

  return {
    size: compiled.size,
    scan: (text) => {
      const folded = once(() => folder.fold(text));
      const links = once(() => findLinks(text));
      const byList = once(() => {
        const hits = new Map<string, Hit[]>();
        const shields = new Map<string, Hit[]>();
        const { starts, ends } = folded();
        for (const { entry, first, last } of scanTerms(compiled, folded())) {
          const start = starts[first] ?? 0;
          const end = ends[last] ?? start;
          const into = entry.shields ? shields : hits;
          const hit = { term: entry.term, start, end, text: text.slice(start, end) };
          const list = into.get(entry.list);
          if (list === undefined) into.set(entry.list, [hit]);
          else list.push(hit);
        }
        return new Map(
          Array.from(hits, ([name, found]) => [
            name,
            withoutEchoes(unshielded(inOrder(found), shields.get(name) ?? NO_HITS)),
          ]),
        );
      });
      const foldedString = once(() => {
        const unitEntry: number[] = [];
        let string = '';
        const { points, length } = folded();
        for (let i = 0; i < length; i += 1) {
          string += String.fromCodePoint(points[i] ?? 0);
          while (unitEntry.length < string.length) unitEntry.push(i);
        }
        return { string, unitEntry };
      });
      const matching = once(() => original.matching(text));
      const matchingFolded = once(() => onFolded.matching(foldedString().string));
      const found = new Map<string, readonly Hit[]>();
      const remember = (key: string, work: () => readonly Hit[]): readonly Hit[] => {
        const known = found.get(key);
        if (known !== undefined) return known;
        const hits = work();
        found.set(key, hits);
        return hits;
      };
      return {
        text,
        get links() {
          return links();
        },
        hits: (list) => {
          if (wordLists.has(list)) return byList().get(list) ?? NO_HITS;
          const domainList = domains.get(list);
          if (domainList === undefined) throw new RangeError(`no list "${list}" in this matcher`);
          return remember(`list ${list}`, () => domainList.hits(links()));
        },
        patternHits: (id) => {
          if (!ids.has(id)) throw new RangeError(`no pattern "${id}" in this matcher`);
          if (!readsFolded.has(id)) {
            return matching().has(id) ? remember(`pattern ${id}`, () => original.hits(id, text)) : NO_HITS;
          }
          if (!matchingFolded().has(id)) return NO_HITS;
          const { string, unitEntry } = foldedString();
          return remember(`pattern ${id}`, () =>
            onFolded.hits(id, string).map((hit) => inOriginal(hit, folded(), unitEntry)),
          );
        },
      };
    },
  };
};
