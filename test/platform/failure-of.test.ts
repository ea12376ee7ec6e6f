import { describe, expect, test } from 'vitest';
import { failureOf, type Circumstances } from '../../src/platform/failure-of.ts';
import type { ConflictError } from '../../src/platform/index.ts';
import { CHANNEL, ROOM } from './samples.ts';
import { html, json } from './scripted-transport.ts';

const call: Circumstances = {
  operation: 'killRoom',
  safety: 'unsafe',
  attempts: 1,
  doubted: false,
  secrets: ['c4n4ry'],
};
const status = (http: number, text: string) => json(http, { status: text });

describe('a failure', () => {
  test.each([
    ['400', html(400), 'invalid-request', 'refused'],
    ['401', status(401, 'unauthorized'), 'unauthorized', 'refused'],
    ['401 in HTML', html(401), 'unauthorized', 'refused'],
    ['403', html(403), 'unauthorized', 'refused'],
    ['404', status(404, 'not-found'), 'not-found', 'refused'],
    ['404 with a blank', status(404, 'not found'), 'not-found', 'refused'],
    ['408', status(408, 'request-timeout'), 'request-timeout', 'unknown'],
    ['409', status(409, 'already-exists'), 'conflict', 'refused'],
    ['410', status(410, 'already-ended'), 'gone', 'refused'],
    ['413', status(413, 'limit-too-large'), 'limit-exceeded', 'refused'],
    ['415', html(415), 'streaming-unsupported', 'refused'],
    ['418', html(418), 'refused', 'refused'],
    ['429', html(429), 'refused', 'refused'],
    ['500', html(500), 'server-error', 'unknown'],
    ['503 capacity', status(503, 'capacity'), 'capacity', 'nothing'],
    ['a bare 503', html(503), 'server-error', 'unknown'],
    ['504 rate-limited', status(504, 'rate-limited'), 'rate-limited', 'nothing'],
    ['504 time-exceeded', status(504, 'time-exceeded'), 'time-exceeded', 'unknown'],
    ['a bare 504', html(504), 'server-error', 'unknown'],
    [
      '504 rate-limited as text',
      { ...status(504, 'rate-limited'), contentType: 'text/plain' },
      'server-error',
      'unknown',
    ],
    ['an answer before the answer', html(102), 'server-error', 'unknown'],
  ])('%s', (_, answer, code, outcome) => {
    const error = failureOf(answer, call);
    expect(error).toMatchObject({
      code,
      outcome,
      httpStatus: answer.status,
      operation: 'killRoom',
      name: error.constructor.name,
    });
    expect(error.retryable).toBe(answer.status >= 500 || answer.status === 408 || answer.status < 400);
  });

  test('of a read leaves nothing in doubt', () => {
    expect(failureOf(html(500), { ...call, safety: 'read' }).outcome).toBe('nothing');
    expect(failureOf(html(404), { ...call, safety: 'read' }).outcome).toBe('refused');
  });

  test('after an attempt in doubt stays in doubt, whatever the answer', () => {
    const later = { ...call, safety: 'idempotent', doubted: true } as const;
    expect(failureOf(html(404), later).outcome).toBe('unknown');
    expect(failureOf(status(503, 'capacity'), later).outcome).toBe('unknown');
  });

  test('keeps the spelling of the status, without secrets, control characters and length', () => {
    expect(failureOf(status(404, 'not found'), call).rawStatus).toBe('not found');
    expect(failureOf(status(404, 'a\nc4n4ry'), call).rawStatus).toBe('a [redacted]');
    expect(failureOf(status(404, 'x'.repeat(1000)), call).rawStatus).toHaveLength(80);
    expect(failureOf(json(404, { status: 5 }), call).rawStatus).toBeUndefined();
  });

  test.each([
    [{ room: ROOM }, { kind: 'room', room: ROOM }],
    [{ channel: CHANNEL }, { kind: 'channel', channel: CHANNEL }],
    [{ transcodingId: 't' }, { kind: 'transcoding', transcodingId: 't' }],
    [{ room: { roomId: 'x' } }, undefined],
    [{}, undefined],
  ])('of a create carries what exists: %#', (body, existing) => {
    const error = failureOf(json(409, { status: 'already-exists', ...body }), call);
    expect((error as ConflictError).existing).toEqual(existing);
    expect(JSON.stringify(error)).not.toContain('key-c4n4ry');
  });
});
