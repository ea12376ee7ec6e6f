import { performance } from 'node:perf_hooks';
import { compileMatcher } from '../src/text/index.ts';

const TERMS = 10_000;
const LINES = 5_000;
const ROUNDS = 5;

/** A small generator with a seed, so that every run reads the same lines. */
const randomOf = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const random = randomOf(7);
const wordOf = (letters: string, length: number): string =>
  Array.from({ length }, () => letters[random(letters.length)]).join('');
const LATIN = 'etaoinshrdlucmfwypvbgk';
const CYRILLIC = 'оеаинтсрвлкмдпуяыьгз';
const terms = Array.from(
  new Set(Array.from({ length: TERMS }, (_, i) => wordOf(i % 5 === 0 ? CYRILLIC : LATIN, 6 + random(5)))),
);
const lineOf = (): string => {
  const letters = random(5) === 0 ? CYRILLIC : LATIN;
  const words = Array.from({ length: 4 + random(10) }, () =>
    random(200) === 0 ? (terms[random(terms.length)] ?? '') : wordOf(letters, 2 + random(7)),
  );
  return words.join(' ') + ['', '!', '.', '?', ' :)', ' 😀'][random(6)];
};
const lines = Array.from({ length: LINES }, lineOf);
const hostile = wordOf('s1.$ u\u200bѕ', 50_000);

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
/** Lines a second, the median of several rounds. */
const rate = (texts: readonly string[], look: (line: string) => unknown): number => {
  const once = (): number => {
    const before = performance.now();
    for (const line of texts) look(line);
    return (texts.length * 1000) / (performance.now() - before);
  };
  once();
  return median(Array.from({ length: ROUNDS }, once));
};

/** The matcher with everything folded, beside plain regular expressions that fold nothing but case. */
export const run = () => {
  const before = performance.now();
  const matcher = compileMatcher({ lists: { all: { terms } } });
  const built = performance.now() - before;
  const few = compileMatcher({ lists: { all: { terms: terms.slice(0, 100) } } });
  const edge = '[\\p{L}\\p{N}]';
  const alternation = new RegExp(`(?<!${edge})(?:${terms.join('|')})(?!${edge})`, 'iu');
  const loop = terms.map((term) => new RegExp(term, 'iu'));

  const ours = rate(lines, (line) => matcher.scan(line).hits('all'));
  const small = rate(lines, (line) => few.scan(line).hits('all'));
  const one = rate(lines.slice(0, 500), (line) => alternation.test(line));
  const many = rate(lines.slice(0, 20), (line) => loop.some((pattern) => pattern.test(line)));
  const length = lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
  const perByte =
    (rate([hostile], (text) => matcher.scan(text).hits('all')) * hostile.length) / (ours * length);

  const row = (name: string, value: number, unit: string, target: string, ok: boolean) => ({
    name,
    value,
    unit,
    target,
    ok,
  });
  return [
    row('text: chat lines, 10,000 terms, everything folded', Math.round(ours), '1/s', '', true),
    row('text: building 10,000 terms', Math.round(built), 'ms', '< 1000', built < 1000),
    row('text: against one RegExp alternation', ours / one, 'x', '>= 3', ours >= 3 * one),
    row('text: against a loop of RegExp', ours / many, 'x', '>= 100', ours >= 100 * many),
    row('text: time a line, 10,000 terms against 100', small / ours, 'x', '<= 3', small <= 3 * ours),
    row('text: characters a second, hostile against ordinary', perByte, 'x', '', true),
  ];
};
