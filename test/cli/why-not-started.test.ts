import { describe, expect, test } from 'vitest';
import { whyNotStarted } from '../../src/cli/why-not-started.ts';

const refused = (code: string): Error =>
  Object.assign(new Error(`listen ${code}`), { code, address: '127.0.0.1', port: 80 });

describe('why nothing started', () => {
  test.each([
    [refused('EADDRINUSE'), /^127\.0\.0\.1:80 is taken.*another port/],
    [refused('EACCES'), /^127\.0\.0\.1:80 may not be used.*above 1023/],
    [refused('EADDRNOTAVAIL'), /no address 127\.0\.0\.1: check the host/],
    [new Error('something else'), /^something else$/],
    [undefined, /^undefined$/],
  ])('%s', (error, words) => expect(whyNotStarted(error)).toMatch(words));
});
