import { describe, expect, test } from 'vitest';
import { compileMatcher } from '../../src/text/index.ts';

const matcher = compileMatcher({
  lists: {
    words: { terms: ['slur', 'ass', 'aaaaaaaaaaaa', 'ab', 'bab', 'abab', 'kill yourself'], allow: ['grass'] },
    strict: { terms: ['slur', 'ab'], match: 'substring', fold: ['case'] },
    hosts: { terms: ['evil.com'], match: 'domain' },
  },
  patterns: [
    { id: 'nested', source: '(a+)+$' },
    { id: 'far', source: 'a.*b' },
    { id: 'folded', source: '(x|xx)+y', reads: 'folded' },
  ],
});

const everything = (text: string): void => {
  const matches = matcher.scan(text);
  for (const list of ['words', 'strict', 'hosts']) matches.hits(list);
  for (const id of ['nested', 'far', 'folded']) matches.patternHits(id);
};

const cost = (work: () => void): number => {
  const times = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
};

describe('eight times the text costs no more than its share', () => {
  test.each([
    ['one letter', 'a'],
    ['a term', 'slur '],
    ['nested terms', 'ab'],
    ['spelled out', 's l u r '],
    ['lone words', 'a '],
    ['dots', 'a.'],
    ['only dots', '.'],
    ['leet', 'a$5!'],
    ['marks', 'a\u0336\u0336\u0336\u0336\u0336\u0336'],
    ['invisible', '\u200b'],
    ['schemes', '://'],
    ['links', 'http://a.com/'],
    ['hosts', 'a.com@'],
    ['brackets', 'a[.'],
    ['link and brackets', 'a.co/)'],
    ['expansions', 'ﷺ'],
    ['allowed', 'grass '],
    ['runs', 'slllllllllllllllllllllllllllllllllllur'],
  ])('%s', (_, unit) => {
    const short = unit.repeat(Math.ceil(5000 / unit.length));
    const long = short.repeat(8);
    everything(short);
    const ratio =
      cost(() => everything(long)) /
      Math.max(
        1000,
        cost(() => everything(short)),
      );
    // Linear is 8, quadratic is 64; between them is room for a noisy machine.
    expect(ratio).toBeLessThan(30);
  });
});
