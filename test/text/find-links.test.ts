import { describe, expect, test } from 'vitest';
import { findLinks } from '../../src/text/index.ts';

const hosts = (text: string): string[] => findLinks(text).map((link) => link.host);

describe('links', () => {
  test.each([
    ['go to https://example.com/a?b#c now', ['example.com']],
    ['example.com', ['example.com']],
    ['(see example.com).', ['example.com']],
    ['EXAMPLE.Com/Path', ['example.com']],
    ['ftp://files.example.org', ['files.example.org']],
    ['https://user:pass@evil.com:8080/x', ['evil.com']],
    ['https://bank.com@evil.com', ['evil.com']],
    ['bank.com@evil.com', ['bank.com', 'evil.com']],
    ['evil.com@', ['evil.com']],
    ['https://evil.com\\@bank.com', ['evil.com']],
    [
      'evil[.]com evil(.)com evil{.}com evil[dot]com evil (dot) com',
      ['evil.com', 'evil.com', 'evil.com', 'evil.com'],
    ],
    ['hxxps://evil.com', ['evil.com']],
    ['evil。com evil．com evil｡com', ['evil.com', 'evil.com', 'evil.com']],
    ['ｅｖｉｌ.ｃｏｍ', ['evil.com']],
    ['𝐞𝐯𝐢𝐥.com', ['evil.com']],
    ['ev\u200bil.com', ['evil.com']],
    ['пример.рф', ['xn--e1afmkfd.xn--p1ai']],
    ['xn--e1afmkfd.xn--p1ai', ['xn--e1afmkfd.xn--p1ai']],
    ['http://3232235777/', ['192.168.1.1']],
    ['http://%65vil.com', ['evil.com']],
    ['http://evil.com./', ['evil.com']],
    ['http://localhost:3000', ['localhost']],
    ['good.com/http://evil.com', ['good.com', 'evil.com']],
    ['https://good.com/?u=https://evil.com', ['good.com', 'evil.com']],
    ['a://,http://evil.com', ['evil.com']],
    ['https://good.com/file.zip', ['good.com']],
    ['good.com,evil.com', ['good.com', 'evil.com']],
    ['evil.com:8080/x', ['evil.com']],
    ['3.14 and 1.2.3.4 and v1.2', []],
    ['e.g. this... or that', []],
    ['://', []],
    ['nothing here', []],
  ])('%j', (text, expected) => {
    expect(hosts(text)).toEqual(expected);
  });

  test('a link stands where it was written', () => {
    expect(findLinks('see hxxps://user@evil[.]com:80/x, ok')[0]).toEqual({
      start: 4,
      end: 32,
      text: 'hxxps://user@evil[.]com:80/x',
      host: 'evil.com',
      unicodeHost: 'evil.com',
      certain: true,
    });
  });

  test.each([
    ['https://x.y', true],
    ['www.end.begin', true],
    ['example.com', true],
    ['twitch.tv', true],
    ['the.end.Begin', false],
    ['end.Begin/path', true],
    ['someone@example.com', false],
  ])('%s is certain: %s', (text, certain) => {
    expect(findLinks(text).map((link) => link.certain)).toEqual([certain]);
  });
});
