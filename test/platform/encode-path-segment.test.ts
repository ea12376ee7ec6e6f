import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePathSegment } from '../../src/platform/index.ts';

describe('an identifier in a path', () => {
  test.each([
    ['us#a.b', 'us%23a.b'],
    ['a|b', 'a%7Cb'],
    ['a/b?c', 'a%2Fb%3Fc'],
    ['50%23', '50%2523'],
    ['...', '...'],
    ['ä 😀', '%C3%A4%20%F0%9F%98%80'],
  ])('%s is sent as %s', (id, segment) => {
    expect(encodePathSegment(id)).toEqual({ segment });
  });

  test.each(['', '.', '..', 'a\nb', 'a\0', '\u007f', '\u0085', '\ud83d'])('%j is refused', (id) => {
    expect(encodePathSegment(id)).toHaveProperty('fault');
  });

  test('comes back as it was, in one segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        const encoded = encodePathSegment(id);
        if (!('segment' in encoded)) return;
        const path = new URL(`http://host/a/${encoded.segment}/b`).pathname;
        expect(path.split('/').map(decodeURIComponent)).toEqual(['', 'a', id, 'b']);
      }),
    );
  });
});
