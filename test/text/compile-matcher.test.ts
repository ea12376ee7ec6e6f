import { describe, expect, test } from 'vitest';
import {
  compileMatcher,
  type Fold,
  MatcherError,
  type MatcherProblem,
  type MatcherSpec,
  type Placement,
} from '../../src/text/index.ts';

const scan = (
  terms: string[],
  text: string,
  rest: { match?: Placement; fold?: Fold[]; allow?: string[] } = {},
) =>
  compileMatcher({ lists: { list: { terms, ...rest } } })
    .scan(text)
    .hits('list')
    .map((hit) => hit.text);

describe('where a term stands', () => {
  test.each<[Placement, string[]]>([
    ['word', ['cat']],
    ['prefix', ['cat', 'cat']],
    ['suffix', ['cat', 'cat']],
    ['substring', ['cat', 'cat', 'cat', 'cat']],
  ])('%s', (match, expected) => {
    expect(scan(['cat'], 'cat catnip bobcat educate', { match })).toEqual(expected);
  });

  test('a term that begins or ends with a symbol needs no boundary there', () => {
    expect(scan(['c++', '🖕'], 'c++ c+ c ab🖕cd')).toEqual(['c++', '🖕']);
  });

  test('a script without spaces has its word boundaries everywhere', () => {
    expect(scan(['ばか'], 'あなたはばかです')).toEqual(['ばか']);
    expect(scan(['โง่'], 'คุณโง่มาก')).toEqual(['โง่']);
  });

  test('a Hangul syllable is not the beginning of another, composed or not', () => {
    expect(scan(['가'], '각', { match: 'substring' })).toEqual([]);
    expect(scan(['각'], '각'.normalize('NFD'))).toEqual(['각'.normalize('NFD')]);
    expect(scan(['バカ'.normalize('NFD')], 'ﾊﾞｶ')).toEqual(['ﾊﾞｶ']);
    expect(scan(['ハカ'], 'バカ')).toEqual([]);
  });

  test('the Turkish i is an i, with its dot and without', () => {
    expect(scan(['pislik'], 'PİSLİK pıslık PISLIK')).toEqual(['PİSLİK', 'pıslık', 'PISLIK']);
  });

  test('Greek capitals that look Latin are still the capitals of their small letters', () => {
    expect(scan(['ηλίθιος'], 'ΗΛΙΘΙΟΣ Ηλίθιος ηλιθιοσ')).toEqual(['ΗΛΙΘΙΟΣ', 'Ηλίθιος', 'ηλιθιοσ']);
  });

  test('terms that hold one another are all found', () => {
    expect(scan(['he', 'she', 'hers', 'his'], 'ushers', { match: 'substring' })).toEqual([
      'she',
      'he',
      'hers',
    ]);
  });
});

describe('a letter must stand as often as in the term', () => {
  test.each([
    ['ass', 'as', []],
    ['ass', 'asss', ['asss']],
    ['as', 'ass', ['ass']],
    ['coon', 'con', []],
    ['coon', 'cooon', ['cooon']],
    ['1488', '148', []],
    ['1488', '14888', []],
    ['1488', '1488', ['1488']],
    ['fill', 'fi11', ['fi11']],
    ['fill', 'fil1', ['fil1']],
    ['fill', 'fi1', []],
    ['fail', 'fall', []],
    ['bet', 'get', []],
  ])('%s in %s', (term, text, expected) => {
    expect(scan([term], text)).toEqual(expected);
  });
});

describe('a list sees through what it names and nothing else', () => {
  const disguises: Record<Fold, string> = {
    case: 'SLUR',
    marks: 'slúr',
    invisible: 's\u200blur',
    confusables: 'ѕlur',
    leet: 's1ur',
    repeats: 'sluur',
    spacing: 's.l.u.r',
  };
  const folds = Object.keys(disguises) as Fold[];
  test.each(folds)('%s alone', (fold) => {
    const seen = folds.filter((other) => scan(['slur'], disguises[other], { fold: [fold] }).length > 0);
    expect(seen).toEqual([fold]);
  });
  test.each(folds)('all but %s', (missing) => {
    const fold = folds.filter((other) => other !== missing);
    const seen = folds.filter((other) => scan(['slur'], disguises[other], { fold }).length > 0);
    expect(seen).toEqual(fold);
  });
  test('the plain word is found with no fold at all', () => {
    expect(scan(['slur'], 'a slur', { fold: [] })).toEqual(['slur']);
    expect(scan(['pass'], 'passs', { fold: [], match: 'prefix' })).toEqual(['passs']);
    expect(scan(['Slur'], 'a Slur slur', { fold: [] })).toEqual(['Slur']);
  });
  test('lists of one matcher keep to their own folds', () => {
    const matches = compileMatcher({
      lists: { exact: { terms: ['slur'], fold: [] }, all: { terms: ['slur'] } },
    }).scan('SLUR slur');
    expect(matches.hits('exact').map((hit) => hit.start)).toEqual([5]);
    expect(matches.hits('all').map((hit) => hit.start)).toEqual([0, 5]);
  });
});

describe('what is allowed shields only what it covers', () => {
  const allow = ['scunthorpe', 'cunt study'];
  test.each([
    ['Scunthorpe', []],
    ['Scunthorpe cunt', ['cunt']],
    ['cunt Scunthorpe', ['cunt']],
    ['a cunt study', []],
    ['a cunt study, cunt', ['cunt']],
    ['Scunthorpes', ['cunt']],
    ['SCUNTHORPE ѕcunthorpe', []],
  ])('%s', (text, expected) => {
    expect(scan(['cunt'], text, { match: 'substring', allow })).toEqual(expected);
  });
  test('an allowed word of one list shields nothing of another', () => {
    const matches = compileMatcher({
      lists: {
        one: { terms: ['cunt'], match: 'substring', allow },
        two: { terms: ['cunt'], match: 'substring' },
      },
    }).scan('scunthorpe');
    expect([matches.hits('one').length, matches.hits('two').length]).toEqual([0, 1]);
  });
  test('a hit that reaches over the allowed stretch stays', () => {
    expect(scan(['horpe rocks'], 'scunthorpe rocks', { match: 'substring', allow })).toEqual(['horpe rocks']);
  });
});

describe('domains', () => {
  const matcher = compileMatcher({
    lists: {
      scams: {
        terms: ['evil.com', '*.bad.org', 'https://пример.рф/x', 'evil.net'],
        match: 'domain',
        allow: ['good.evil.com'],
      },
    },
  });
  test.each([
    ['see evil.com', ['evil.com']],
    ['https://www.EVIL.com:8443/path?x', ['https://www.EVIL.com:8443/path?x']],
    ['a.b.bad.org', ['a.b.bad.org']],
    ['hxxp://evil[.]com', ['hxxp://evil[.]com']],
    ['https://bank.com@evil.com/', ['https://bank.com@evil.com/']],
    ['xn--e1afmkfd.xn--p1ai', ['xn--e1afmkfd.xn--p1ai']],
    ['ПРИМЕР.РФ', ['ПРИМЕР.РФ']],
    ['notevil.com evil.com.au evil.computer', []],
    ['good.evil.com', []],
    ['good.evil.com then evil.com', ['evil.com']],
  ])('%s', (text, expected) => {
    expect(
      matcher
        .scan(text)
        .hits('scams')
        .map((hit) => hit.text),
    ).toEqual(expected);
  });
});

describe('a specification that cannot be used', () => {
  test('is refused with every problem at once', () => {
    const problemsOf = (spec: MatcherSpec): readonly MatcherProblem[] => {
      try {
        compileMatcher(spec);
        return [];
      } catch (error) {
        if (error instanceof MatcherError) return error.problems;
        throw error;
      }
    };
    const problems = problemsOf({
      lists: { words: { terms: ['fine', ' .\u200b'] }, hosts: { terms: ['not a domain'], match: 'domain' } },
      patterns: [
        { id: 'look', source: '(?=x)' },
        { id: 'twice', source: 'a' },
        { id: 'twice', source: 'b' },
      ],
    });
    expect(problems.map(({ list, term, pattern }) => pattern ?? `${list}:${term}`)).toEqual([
      'look',
      'twice',
      'hosts:not a domain',
      'words: .\u200b',
    ]);
    expect(new MatcherError(problems).message).toContain('list "hosts": "not a domain" is no domain name');
  });

  test('an unknown list or pattern is a mistake of the caller', () => {
    const matches = compileMatcher({}).scan('x');
    expect(() => matches.hits('none')).toThrow('no list "none"');
    expect(() => matches.patternHits('none')).toThrow('no pattern "none"');
  });
});

test('an object name such as "constructor" is a list like any other', () => {
  const matches = compileMatcher({ lists: { constructor: { terms: ['x'] } } }).scan('x');
  expect(matches.hits('constructor')).toHaveLength(1);
});

test('the example of the door is true', () => {
  const matcher = compileMatcher({
    lists: { slurs: { terms: ['slur'], match: 'word', allow: ['slur study'] } },
    patterns: [{ id: 'phone', source: '\\+?[0-9][0-9 ]{8,}' }],
  });
  expect(matcher.scan('what a ѕ1.uur').hits('slurs')).toEqual([
    { term: 'slur', start: 7, end: 13, text: 'ѕ1.uur' },
  ]);
  expect(matcher.scan('call +49 170 1234567').patternHits('phone')).toHaveLength(1);
});

test('a term that two views show is one hit, and each further one counts', () => {
  expect(scan(['slur'], 'slur.r')).toEqual(['slur']);
  expect(scan(['slur'], 'slur slur s.l.u.r')).toEqual(['slur', 'slur', 's.l.u.r']);
});

test('two single letters are two words; three or more are one spelled out', () => {
  expect(scan(['ab', 'abc'], 'a b')).toEqual([]);
  expect(scan(['ab', 'abc'], 'a b c')).toEqual(['a b c']);
});
