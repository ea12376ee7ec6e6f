import type { MessagePosted } from '../domain/event.ts';
import { compileMatcher, MatcherError, patternProblem } from '../text/index.ts';
import type { ListSpec, Matcher, PatternSpec, TextMatches } from '../text/index.ts';
import type { Findings } from './finding.ts';
import type { Spot } from './spot.ts';

/** What is found in a message; undefined when nothing is. */
export type Scan = (event: MessagePosted) => string | undefined;

interface Source {
  readonly spec: ListSpec;
  readonly spot: Spot;
  /** Where each term stands, when it came from a file of its own. */
  readonly locate?: (term: string) => Spot;
}

/**
 * All that one bot looks for in texts: its lists, and the words and patterns of its rules, put into one matcher when
 * `seal` is called. A message is folded and scanned once, however many rules look at it.
 */
export class TextIndex {
  readonly #lists = new Map<string, Source>();
  readonly #named: string[] = [];
  readonly #patterns: (PatternSpec & { readonly spot: Spot })[] = [];
  readonly #scanned = new WeakMap<MessagePosted, TextMatches>();
  #matcher: Matcher | undefined;

  /** A list of the bot, by its name. */
  addList(name: string, source: Source): void {
    this.#lists.set(`list ${name}`, source);
    this.#named.push(`list ${name}`);
  }

  /** Finds what a list of the bot finds. */
  list(name: string): Scan {
    return (event) => this.#matches(event).hits(`list ${name}`)[0]?.text;
  }

  /** Finds words that stand in a rule. */
  words(spot: Spot, terms: readonly string[], how: Pick<ListSpec, 'match' | 'fold'>): Scan {
    const key = `words ${this.#lists.size}`;
    this.#lists.set(key, { spec: { terms, ...how }, spot });
    return (event) => this.#matches(event).hits(key)[0]?.text;
  }

  /** Finds a pattern that stands in a rule. */
  pattern(spot: Spot, source: string): Scan {
    const id = `pattern ${this.#patterns.length}`;
    this.#patterns.push({ id, source, spot });
    return (event) => this.#matches(event).patternHits(id)[0]?.text;
  }

  /** True when a list of the bot finds something: such words are not repeated in public. */
  offends(text: string): boolean {
    if (this.#named.length === 0 || this.#matcher === undefined) return false;
    const matches = this.#matcher.scan(text);
    return this.#named.some((name) => matches.hits(name).length > 0);
  }

  /** Compiles everything; what cannot be compiled becomes findings, and then nothing may be scanned. */
  seal(findings: Findings): void {
    if (this.#lists.size + this.#patterns.length === 0) return;
    for (const { source, spot } of this.#patterns) {
      const problem = patternProblem(source);
      if (problem !== undefined) findings.error(spot, `not a pattern of RE2: ${problem}`);
    }
    const lists = Object.fromEntries([...this.#lists].map(([name, { spec }]) => [name, spec]));
    try {
      this.#matcher = compileMatcher({
        lists,
        patterns: this.#patterns.filter(({ source }) => patternProblem(source) === undefined),
      });
    } catch (error) {
      if (!(error instanceof MatcherError)) throw error;
      for (const { list, term, message } of error.problems) {
        const source = this.#lists.get(list ?? '');
        if (source === undefined) throw error;
        findings.error(spotOf(source, term), message);
      }
    }
  }

  #matches(event: MessagePosted): TextMatches {
    const known = this.#scanned.get(event);
    if (known !== undefined) return known;
    if (this.#matcher === undefined) throw new Error('a text index is asked before it is sealed');
    const matches = this.#matcher.scan(event.text);
    this.#scanned.set(event, matches);
    return matches;
  }
}

function spotOf({ spot, locate }: Source, term: string | undefined): Spot {
  if (term === undefined) return spot;
  const among = spot.get('terms') ?? spot;
  const own = [...among.items(), ...(spot.get('allow')?.items() ?? [])].find(({ value }) => value === term);
  return own ?? locate?.(term) ?? spot;
}
