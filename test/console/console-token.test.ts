import { describe, expect, test } from 'vitest';
import {
  answeredProtocol,
  bearerOf,
  consoleToken,
  offeredTokens,
  weaknessOf,
} from '../../src/console/console-token.ts';
import { ConfigurationError } from '../../src/errors.ts';

describe("the console's token", () => {
  const isToken = consoleToken('s3cret/ä');

  test.each(['', 's3cret/', 's3cret/ä ', 'S3CRET/Ä', 's3cret/äx'])('is not %j', (text) => {
    expect(isToken(text)).toBe(false);
  });

  test('is itself', () => expect(isToken('s3cret/ä')).toBe(true));

  test.each(['', '  '])('may not be %j', (token) => {
    expect(() => consoleToken(token)).toThrow(ConfigurationError);
  });

  const headers: readonly [string | undefined, string | undefined][] = [
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    [undefined, undefined],
  ];
  test.each(headers)('in the header %j is %j', (header, token) => expect(bearerOf(header)).toBe(token));

  test('is found among subprotocols as it is or in base64url; of a long list only the first few count', () => {
    expect(offeredTokens('usher.feed, abc')).toEqual(['usher.feed', 'abc']);
    const carrier = `usher.token.${Buffer.from('s3cret/ä').toString('base64url')}`;
    expect(offeredTokens(`usher.feed,${carrier}`)).toEqual(['usher.feed', 's3cret/ä']);
    expect(offeredTokens('usher.token.')).toEqual([]);
    expect(offeredTokens(undefined)).toEqual([]);
    expect(offeredTokens('a,b,c,d,e,f')).toEqual(['a', 'b', 'c', 'd']);
    expect(answeredProtocol(new Set([carrier, 'usher.feed']), isToken)).toBe('usher.feed');
    expect(answeredProtocol(new Set([carrier]), isToken)).toBe(carrier);
  });

  test.each(['', 'short', 'fifteen-letters', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'abababababababababab'])(
    '%j is weak',
    (token) => expect(weaknessOf(token)).toMatch(/too easy to guess/),
  );

  test('sixteen different characters are not weak', () =>
    expect(weaknessOf('0123456789abcdef')).toBeUndefined());
});
