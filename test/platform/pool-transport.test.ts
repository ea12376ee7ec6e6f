import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createPoolTransport } from '../../src/platform/pool-transport.ts';
import { transportFault } from '../../src/platform/transport-fault.ts';
import type { Transport, WireRequest } from '../../src/platform/transport.ts';
import { respondJson, scriptedServer, type Respond, type ScriptedServer } from './scripted-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(
  respond: Respond,
  maxResponseBytes = 1000,
): Promise<{ server: ScriptedServer; transport: Transport }> {
  const server = await scriptedServer(respond);
  closers.push(() => server.close());
  return { server, transport: transportTo(server.baseUrl, maxResponseBytes) };
}

function transportTo(baseUrl: string, maxResponseBytes = 1000): Transport {
  const transport = createPoolTransport(new URL(baseUrl), {
    connections: 4,
    connectMs: 1000,
    maxResponseBytes,
  });
  closers.push(() => transport.close());
  return transport;
}

const request = (over: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  target: '/svc/room/us%23a%7Cb',
  headers: { accept: 'application/json' },
  body: null,
  emptyBody: false,
  ...over,
});
const emptyDelete = request({ method: 'DELETE', emptyBody: true });
const never = new AbortController().signal;
const faultOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return transportFault(error);
  }
  return 'none';
};

describe.each([
  ['a request through the pool', request()],
  ['an empty DELETE', emptyDelete],
])('%s', (_, wire) => {
  test('carries target and headers as given, and brings the whole answer', async () => {
    const { server, transport } = await start((response) => {
      response.writeHead(302, { 'content-type': 'text/plain', location: '/x' });
      response.write('ä');
      response.end('😀');
    });
    expect(await transport.send(wire, never)).toEqual({
      status: 302,
      contentType: 'text/plain',
      location: '/x',
      text: 'ä😀',
    });
    expect(server.received).toMatchObject([
      {
        method: wire.method,
        target: '/svc/room/us%23a%7Cb',
        headers: { accept: 'application/json' },
        body: '',
      },
    ]);
  });

  test('fails as too large when the answer is over the limit', async () => {
    const { transport } = await start((response) => response.end('x'.repeat(1001)));
    expect(await faultOf(transport.send(wire, never))).toBe('too-large');
  });

  test('fails as broken when the connection ends before the answer, or within it', async () => {
    const dead = await start((response) => response.destroy());
    expect(await faultOf(dead.transport.send(wire, never))).toBe('broken');
    const cut = await start((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    expect(await faultOf(cut.transport.send(wire, never))).toBe('broken');
  });

  test('fails as not connected when nobody listens', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => {
      probe.listen(0, '127.0.0.1', resolve);
    });
    const { port } = probe.address() as AddressInfo; // listening on TCP
    await new Promise((resolve) => probe.close(resolve));
    expect(await faultOf(transportTo(`http://127.0.0.1:${port}`).send(wire, never))).toBe('not-connected');
  });

  test('ends with its signal, before the headers and within the body', async () => {
    for (const respond of [
      () => undefined,
      (response) => void response.writeHead(200).write('half'),
    ] as Respond[]) {
      const controller = new AbortController();
      const { transport } = await start((response, received) => {
        respond(response, received);
        setImmediate(() => controller.abort());
      });
      expect(await faultOf(transport.send(wire, controller.signal))).toBe('broken');
    }
  });

  test('is waited for by close', async () => {
    const { transport } = await start((response) => setImmediate(() => response.end('late')));
    const answer = transport.send(wire, never);
    await new Promise((resolve) => setImmediate(resolve));
    await transport.close();
    expect((await answer).text).toBe('late');
  });
});

test('the pool keeps its connections, an empty DELETE has one of its own', async () => {
  const { server, transport } = await start(respondJson(200, {}));
  for (let round = 0; round < 10; round += 1) await transport.send(request(), never);
  // undici frees a socket a moment after its answer, so that the next request may open a second one.
  expect(server.connections()).toBeLessThanOrEqual(2);
  const before = server.connections();
  await transport.send(emptyDelete, never);
  await transport.send(emptyDelete, never);
  expect(server.connections()).toBe(before + 2);
});

test('an empty DELETE says that its length is zero, and a DELETE with a body says its length', async () => {
  const { server, transport } = await start(respondJson(200, {}));
  await transport.send(emptyDelete, never);
  await transport.send(request({ method: 'DELETE', body: '{"ä":1}' }), never);
  expect(server.received.map(({ headers }) => headers['content-length'])).toEqual(['0', '8']);
  expect(server.received[0]?.headers).not.toHaveProperty('transfer-encoding');
});

test('after close nothing is sent', async () => {
  const { server, transport } = await start(respondJson(200, {}));
  await transport.close();
  expect(await faultOf(transport.send(request(), never))).toBe('closed');
  expect(await faultOf(transport.send(emptyDelete, never))).toBe('closed');
  expect(server.received).toEqual([]);
});
