import { describe, expect, test } from 'vitest';
import { BASIC, stage } from './harness.ts';

const wrong = `Basic ${Buffer.from('demo:wrong').toString('base64')}`;
const good = { applicationId: 'demo', secret: 'sandbox-secret' };
const bad = { applicationId: 'demo', secret: 'no' };

describe('credentials 401, then JSON and shape 400, then reason 401, then existence 404', () => {
  test.each([
    ['wrong credentials hide a bad shape', 'PUT', '/room/none/kill', { options: 1 }, wrong, 401],
    ['no credentials', 'PUT', '/room/none/kill', { options: 1 }, null, 401],
    ['garbage for credentials', 'PUT', '/room/none/kill', { options: 1 }, 'Bearer x', 401],
    ['a bad shape hides a bad reason', 'PUT', '/room/none/kill', { options: 1, reason: 1 }, BASIC, 400],
    ['a bad reason hides a missing room', 'PUT', '/room/none/kill', { reason: 1 }, BASIC, 401],
    ['then the room is missing', 'PUT', '/room/none/kill', { reason: '' }, BASIC, 404],
    ['no body at all is an empty one', 'PUT', '/room/none/kill', undefined, BASIC, 404],
    ['a channel does the same', 'PUT', '/channel/none/kill', { reason: 1 }, BASIC, 401],
    ['body credentials come before shape', 'DELETE', '/stream', { ...bad, streamId: 1 }, null, 401],
    ['then shape', 'DELETE', '/stream', { ...good, streamId: 1, reason: '' }, null, 400],
    ['then existence', 'DELETE', '/stream', { ...good, streamId: 'x', reason: '' }, null, 404],
    ['stream operations take Basic too', 'DELETE', '/stream', { streamId: 'x', reason: '' }, BASIC, 404],
    ['header and body that differ', 'DELETE', '/stream', { ...bad, streamId: 'x', reason: '' }, BASIC, 401],
    ['the header counts', 'DELETE', '/stream', { ...good, streamId: 'x', reason: '' }, wrong, 401],
    ['tokens take no header', 'POST', '/auth', {}, BASIC, 401],
    ['tokens take the body', 'POST', '/auth', good, null, 200],
    ['credentials field', 'DELETE', '/composition/x', { credentials: good }, null, 404],
    ['a wrong credentials field', 'DELETE', '/composition/x', { credentials: bad }, null, 401],
    ['credentials that are no object', 'DELETE', '/composition/x', { credentials: 'demo' }, null, 401],
    ['channels take no credentials field', 'PUT', '/channel', { credentials: good }, null, 401],
    [
      "somebody else's callback",
      'PUT',
      '/application/other/callback',
      { callback: { host: 'a' } },
      BASIC,
      401,
    ],
  ])('%s', async (_name, method, path, body, authorization, http) => {
    const { call } = await stage();
    expect((await call(method, path, body, { authorization })).http).toBe(http);
  });

  test.each([
    ['half of JSON', '{"room":'],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
  ])('%s for a body is a 400', async (_name, raw) => {
    const { call } = await stage();
    expect((await call('PUT', '/room', undefined, { raw })).http).toBe(400);
    expect((await call('POST', '/auth', undefined, { raw, authorization: null })).http).toBe(400);
  });

  test('the 400 of the first operation has no status word', async () => {
    const { call } = await stage();
    const answer = await call('POST', '/auth', { ...good, capabilities: 'wildcard' });
    expect([answer.http, answer.json]).toEqual([400, undefined]);
  });

  test('a body that is too large is a 413, and the server goes on', async () => {
    const { call } = await stage();
    expect((await call('PUT', '/room', undefined, { raw: `{"a":"${'x'.repeat(1_100_000)}"}` })).http).toBe(
      413,
    );
    expect((await call('GET', '/rooms')).http).toBe(200);
  });

  test('an unknown operation is a loud 501', async () => {
    const { call, sandbox } = await stage();
    const answer = await call('PATCH', '/rooms');
    expect(answer).toMatchObject({ http: 501, json: { status: 'unknown-operation' } });
    expect(answer.headers['x-sandbox-decision']).toBe('unknown-operation');
    expect(sandbox.requests()).toMatchObject([
      { operation: 'unknown', method: 'PATCH', path: '/svc/rooms', status: 501 },
    ]);
  });
});
