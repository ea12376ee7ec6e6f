import { describe, expect, test } from 'vitest';
import { streamIdFromUri } from '../../src/platform/index.ts';

const ID = 'us-northeast#US-ASHBURN-AD-1.wTa8U91C.20210408.PS39wE1G';

describe('the stream id in a uri', () => {
  test.each([
    [`pcast://host.example/${ID}`, ID],
    [`pcast://host.example:8443/${ID}?streamToken=DIGEST:abc`, ID],
    [`wss://host/${ID}`, ID],
    ['pcast://host/a/b#c', 'a/b#c'],
    ['pcast://host/', undefined],
    ['pcast://host', undefined],
    [ID, undefined],
    ['', undefined],
  ])('%s', (uri, expected) => {
    expect(streamIdFromUri(uri)).toBe(expected);
  });

  test('is cut by URL, which is why URL is not used', () => {
    expect(new URL(`pcast://host/${ID}`).pathname).not.toContain(ID);
  });

  test('is found by the pattern of another deployment', () => {
    expect(streamIdFromUri('stream:a#b', /^stream:(.+)$/)).toBe('a#b');
  });
});
