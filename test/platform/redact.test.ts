import { describe, expect, test } from 'vitest';
import { redact, redactText } from '../../src/platform/index.ts';

const CANARY = 'c4n4ry';

describe('what goes to a log', () => {
  test.each([
    ['a secret', { credentials: { applicationId: 'a', secret: CANARY } }],
    ['a stream key', { rooms: [{ alias: 'a', streamKey: CANARY }] }],
    ['tokens', { authenticationToken: CANARY, streamToken: CANARY, token: CANARY }],
    ['a header', { headers: { Authorization: `Basic ${CANARY}`, cookie: CANARY } }],
    ['a token in a uri', { uri: `pcast://h/s#1?x=1&streamToken=${CANARY}&y=2` }],
    ['an edge token in a text', [`the token DIGEST:${CANARY} was used`]],
    ['credentials in an address', `http://app:${CANARY}@host/`],
    ['a text that holds a known secret', { message: `it is ${CANARY}!` }],
    ['an error', Object.assign(new Error(`Basic ${CANARY}`), { secret: CANARY })],
  ])('hides %s', (_, value) => {
    expect(JSON.stringify(redact(value, [CANARY]))).not.toContain(CANARY);
    expect(JSON.stringify(redact(value, [CANARY]))).toContain('[redacted]');
  });

  test('keeps what is no secret, of every plain kind', () => {
    const date = new Date(0);
    const value = { a: [1, null, true, undefined], b: { c: 'text' }, date, streamToken: undefined };
    expect(redact(value)).toEqual(value);
  });

  test('leaves the original as it is', () => {
    const value = { secret: CANARY };
    redact(value);
    expect(value.secret).toBe(CANARY);
  });

  test('ends at cycles, depth, bytes and functions, and shows a shared object twice', () => {
    const shared = { x: 1 };
    const cycle: Record<string, unknown> = { one: shared, two: shared, bytes: Buffer.from('a'), f: () => 1 };
    cycle['self'] = cycle;
    expect(redact(cycle)).toEqual({
      one: { x: 1 },
      two: { x: 1 },
      bytes: '[bytes]',
      f: '[function]',
      self: '[circular]',
    });
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100; level += 1) deep = { deep };
    expect(JSON.stringify(redact(deep))).toContain('[deep]');
  });

  test('keeps the rest of a uri', () => {
    expect(redactText('pcast://h/s#1?x=1&streamToken=abc&y=2')).toBe(
      'pcast://h/s#1?x=1&streamToken=[redacted]&y=2',
    );
  });
});
