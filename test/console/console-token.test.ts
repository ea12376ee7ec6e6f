import { describe, expect, test } from 'vitest';
import { bearerOf, consoleToken, offeredToken } from '../../src/console/console-token.ts';
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

  test('is found among subprotocols as it is or in base64url', () => {
    const plain = consoleToken('abc');
    expect(offeredToken(['usher.feed', 'abc'], plain)).toBe('abc');
    const carrier = `usher.token.${Buffer.from('s3cret/ä').toString('base64url')}`;
    expect(offeredToken(['usher.feed', carrier], isToken)).toBe(carrier);
    expect(offeredToken(['usher.feed', 'usher.token.'], isToken)).toBeUndefined();
  });
});
