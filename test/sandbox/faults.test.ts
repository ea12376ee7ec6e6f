import { describe, expect, test } from 'vitest';
import { send } from '../../src/sandbox/conformance/wire.ts';
import { BASIC, enc, stage } from './harness.ts';

describe('faults of answers', () => {
  test.each([
    ['by name, with the documented word', { operation: 'listRooms', status: 504 }, 504, 'rate-limited'],
    ['by number', { operation: 20, status: 503 }, 503, 'capacity'],
    ['for any operation', { status: 500 }, 500, 'internal-error'],
    ['with a word of its own', { operation: 'listRooms', status: 504, body: { status: 'x' } }, 504, 'x'],
  ] as const)('%s', async (_name, rule, http, word) => {
    const { call, sandbox } = await stage();
    sandbox.failNext(rule);
    expect(await call('GET', '/rooms')).toMatchObject({ http, json: { status: word } });
    expect((await call('GET', '/rooms')).http).toBe(200);
  });

  test('a body that is not JSON goes out as what it looks like', async () => {
    const { call, sandbox } = await stage();
    sandbox.failNext({ operation: 'listRooms', status: 502, body: '<html>Bad Gateway</html>' });
    const answer = await call('GET', '/rooms');
    expect(answer).toMatchObject({ http: 502, text: '<html>Bad Gateway</html>', json: undefined });
    expect(answer.headers['content-type']).toBe('text/html');
  });

  test('other operations are not touched; count, skip and always are kept', async () => {
    const { call, sandbox } = await stage();
    sandbox.failNext({ operation: 'listRooms', status: 500, count: 2, skip: 1 });
    expect((await call('GET', '/channels')).http).toBe(200);
    const seen = [];
    for (let i = 0; i < 5; i++) seen.push((await call('GET', '/rooms')).http);
    expect(seen).toEqual([200, 500, 500, 200, 200]);
    sandbox.clearFaults();
    const id = sandbox.failNext({ operation: 'listRooms', status: 500, count: 'always' });
    for (let i = 0; i < 3; i++) expect((await call('GET', '/rooms')).http).toBe(500);
    expect(sandbox.faults()).toMatchObject([{ id, struck: 3 }]);
    sandbox.clearFaults(id);
    expect((await call('GET', '/rooms')).http).toBe(200);
  });

  test('commit then fail: the deed is done, and its answer is the failure', async () => {
    const { call, sandbox } = await stage();
    const { roomId } = sandbox.createRoom({ alias: 'a' });
    const { streamId } = sandbox.publish({ roomId });
    sandbox.failNext({ operation: 'terminateStream', status: 504, body: 'gateway', commit: true });
    expect((await call('DELETE', '/stream', { streamId, reason: 'x' })).http).toBe(504);
    expect((await call('DELETE', '/stream', { streamId, reason: 'x' })).json.status).toBe('already-ended');
  });

  test('without commit nothing is done', async () => {
    const { call, sandbox } = await stage();
    const { roomId } = sandbox.createRoom({ alias: 'a' });
    const { streamId } = sandbox.publish({ roomId });
    for (const rule of [{ status: 504 }, { reset: true }] as const) {
      sandbox.failNext({ operation: 'terminateStream', ...rule });
      await call('DELETE', '/stream', { streamId, reason: 'x' }).catch(() => undefined);
    }
    expect((await call('DELETE', '/stream', { streamId, reason: 'x' })).http).toBe(200);
  });

  test('a reset, committed or not', async () => {
    const { call, sandbox } = await stage();
    sandbox.failNext({ operation: 'createRoom', reset: true, commit: true });
    const room = { alias: 'a', name: 'a', description: '', options: [] };
    await expect(call('PUT', '/room', { room })).rejects.toThrow(/ECONNRESET|hang up/);
    expect((await call('PUT', '/room', { room })).http).toBe(409);
    expect(sandbox.requests()[0]).toMatchObject({ operation: 'createRoom', status: 0, fault: 'fault-1' });
  });

  test('a truncated body breaks off in the middle', async () => {
    const { call, sandbox } = await stage();
    sandbox.failNext({ operation: 'listRooms', truncate: true });
    await expect(call('GET', '/rooms')).rejects.toThrow(/aborted/);
  });

  test('a hanging request never answers', async () => {
    const { sandbox } = await stage();
    sandbox.failNext({ operation: 'listRooms', hang: true });
    const asking = send('GET', `${sandbox.baseUrl}/svc/rooms`, {
      headers: { authorization: BASIC },
      timeoutMs: 50,
    });
    await expect(asking).rejects.toThrow('no answer within 50 ms');
  });

  test('a delay waits on the sandbox’s clock, the deed is done before', async () => {
    const { call, sandbox } = await stage();
    sandbox.failNext({ operation: 'createRoom', delay: '3s' });
    let answered = false;
    const asking = call('PUT', '/room', { room: { alias: 'a', name: 'a', description: '', options: [] } });
    void asking.then(() => (answered = true));
    while (sandbox.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(sandbox.findPlace({ roomAlias: 'a' })).toBeDefined();
    await sandbox.advance(2_999);
    expect(answered).toBe(false);
    await sandbox.advance(1);
    expect((await asking).http).toBe(200);
  });

  test('a quota lets so many a second pass', async () => {
    const { sandbox, call } = await stage();
    sandbox.failNext({ status: 504, body: { status: 'rate-limited' }, perSecond: 3 });
    const burst = async (count: number) => {
      const seen: number[] = [];
      for (let i = 0; i < count; i++) seen.push((await call('GET', '/channels')).http);
      return seen.filter((http) => http === 200).length;
    };
    expect(await burst(10)).toBe(3);
    await sandbox.advance(334);
    expect(await burst(10)).toBe(1);
    await sandbox.advance(60_000);
    expect(await burst(10)).toBe(3);
  });

  test('a probability strikes about that often', async () => {
    const { sandbox, call } = await stage();
    sandbox.failNext({ operation: 'listChannels', status: 500, probability: 0.3 });
    let struck = 0;
    for (let i = 0; i < 200; i++) if ((await call('GET', '/channels')).http === 500) struck++;
    expect(struck).toBeGreaterThan(30);
    expect(struck).toBeLessThan(90);
  });

  test.each([
    [{ operation: 'noSuchOperation', status: 500 }, 'operation'],
    [{ status: 99 }, 'status'],
    [{ webhook: 'explode' }, 'webhook'],
    [{ delay: 'soon' }, 'is no duration'],
    [{ stauts: 500 }, 'stauts'],
  ])('%j is refused', async (rule, finding) => {
    const { control } = await stage();
    const answer = await control('POST', 'faults', rule);
    expect([answer.http, answer.json.error]).toEqual([400, expect.stringContaining(finding)]);
  });

  test('an unprotected manifest can fail too', async () => {
    const { sandbox } = await stage();
    sandbox.failNext({ operation: 'getPlaylist', status: 503 });
    const address = `${sandbox.baseUrl}/video/demo/${enc('a#b')}/live.m3u8`;
    expect((await send('GET', address, { timeoutMs: 1_000 })).http).toBe(503);
  });
});
