import { afterEach, describe, expect, test } from 'vitest';
import { OPERATION_NAMES, operations } from '../../src/platform/index.ts';
import type { Operation } from '../../src/platform/index.ts';
import { conformanceChecks } from '../../src/sandbox/conformance/run-conformance.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { runConformance, startSandbox } from '../../src/sandbox/index.ts';

const open: Sandbox[] = [];
const start = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const sandbox = await startSandbox(options);
  open.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

const failed = async (sandbox: Sandbox, only: string) => {
  const results = await runConformance({ ...sandbox, only, timeoutMs: 300 });
  return results.filter((result) => result.outcome === 'fail').map((result) => result.id);
};

describe('the conformance suite', () => {
  test('the sandbox passes all of it, and nothing is skipped', async () => {
    const sandbox = await start();
    const results = await runConformance(sandbox);
    expect(results.filter((result) => result.outcome !== 'pass')).toEqual([]);
    expect(results.length).toBeGreaterThan(200);
  });

  test('the sandbox passes under a virtual clock and with other prefixes', async () => {
    const prefixes = { pathPrefix: '/api/v1', videoPrefix: '/media/video', headerPrefix: 'X-Other' };
    const sandbox = await start({
      clock: 'virtual',
      applicationId: 'tv.example',
      secret: 'geheim-ß',
      ...prefixes,
    });
    const results = await runConformance({ ...sandbox, ...prefixes });
    expect(results.filter((result) => result.outcome !== 'pass')).toEqual([]);
  });

  test('it takes away what it made', async () => {
    const sandbox = await start();
    await runConformance(sandbox);
    const auth = `Basic ${Buffer.from('demo:sandbox-secret').toString('base64')}`;
    for (const list of ['rooms', 'rooms?type=TownHall', 'channels']) {
      const answer = await fetch(`${sandbox.baseUrl}/svc/${list}`, { headers: { authorization: auth } });
      expect(await answer.json()).toMatchObject({ [list.split('?')[0]!]: [] });
    }
    expect(sandbox.faults().filter((fault) => fault.struck === 0)).toEqual([]);
  });

  test('without a control API it skips what it cannot make, and passes the rest', async () => {
    const sandbox = await start();
    const results = await runConformance({ ...sandbox, control: false });
    expect(results.filter((result) => result.outcome === 'fail')).toEqual([]);
    const skipped = results.filter((result) => result.outcome === 'skipped');
    expect(skipped.length).toBeGreaterThan(0);
    expect(skipped.every((result) => result.detail?.includes('control API'))).toBe(true);
    expect(sandbox.deliveries()).toEqual([]);
  });

  test('every documented status of every operation has a check', () => {
    const ids = new Set(conformanceChecks().map((check) => check.id));
    expect(ids.size).toBe(conformanceChecks().length);
    const missing = OPERATION_NAMES.flatMap((name) => {
      const operation: Operation = operations[name];
      const documented = operation.statuses
        .filter(({ http }) => http !== 400 && http !== 401)
        .flatMap(({ http, status }) =>
          status.length === 0 ? [`${http}`] : status.map((word) => `${http}.${word.replaceAll(' ', '-')}`),
        );
      return [String(operation.success), ...documented]
        .map((what) => `${name}.${what}`)
        .filter((id) => !ids.has(id));
    });
    expect(missing).toEqual([]);
  });

  test('an address where nobody answers fails, and rejects nothing', async () => {
    const results = await runConformance({
      baseUrl: 'http://127.0.0.1:1',
      applicationId: 'a',
      secret: 's',
      only: 'getRoom.',
    });
    expect(
      results.some((result) => result.outcome === 'fail' && result.detail?.includes('ECONNREFUSED')),
    ).toBe(true);
  });
});

describe('each class of check can fail', () => {
  test.each([
    ['authentication', 'getRoom.401', { operation: 'getRoom', status: 200, body: { status: 'ok' } }],
    ['the status word', 'getRoom.401', { operation: 'getRoom', status: 401, body: { status: 'forbidden' } }],
    ['shape', 'createRoom.400', { operation: 'createRoom', status: 200, body: { status: 'ok' } }],
    ['malformed JSON', 'createRoom.400.malformed', { operation: 'createRoom', status: 500 }],
    ['existence', 'terminateStream.404', { operation: 'terminateStream', status: 410 }],
    ['the schema of a success', 'listChannels.200', { operation: 'listChannels', body: { status: 'ok' } }],
    ['a success that is not JSON', 'issueStreamToken.200', { operation: 'issueStreamToken', body: '<html>' }],
    ['a count', 'countRoomPublishers.200', { operation: 'countRoomPublishers', body: 'many' }],
    ['a redirect', 'getRoomManifest.302', { operation: 'getRoomManifest', status: 200, body: '#EXTM3U' }],
    ['a playlist', 'getPlaylist.200', { operation: 'getPlaylist', status: 200, body: '<html>' }],
    ['a limit', 'sendMessage.limit.message', { operation: 'sendMessage', status: 413 }],
    ['a broken connection', 'getChannel.404', { operation: 'getChannel', reset: true }],
    ['a truncated body', 'listChannels.200', { operation: 'listChannels', truncate: true }],
    ['an answer that never comes', 'getChannel.404', { operation: 'getChannel', hang: true }],
  ])('%s', async (_name, only, fault) => {
    const sandbox = await start();
    expect(await failed(sandbox, only)).toEqual([]);
    sandbox.failNext({ ...fault, count: 'always' });
    expect(await failed(sandbox, only)).not.toEqual([]);
  });

  test.each([
    ['notifications.composition', { 'composition-notified': 'silent' }],
    ['notifications.methods', { 'notification-get-body': 'empty' }],
  ] as const)('%s, by a switch', async (id, switches) => {
    expect(await failed(await start({ switches }), id)).toEqual([id]);
  });

  test.each(['drop', 'delay'] as const)('notifications, by webhook fault %s', async (webhook) => {
    const sandbox = await start();
    sandbox.failNext({ webhook, count: 'always', delay: '1h' });
    expect(await failed(sandbox, 'notifications.started')).toEqual(['notifications.started']);
  });

  test('the signature', async () => {
    const sandbox = await start({ headerPrefix: 'X-Other' });
    expect(await failed(sandbox, 'notifications.signature')).toEqual(['notifications.signature']);
  });
});
