import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  besiegedReceiver,
  bytesOf,
  NOW,
  PATH,
  signedLetter,
  startedBody,
  statusesOf,
  type BesiegedReceiver,
  type Letter,
} from './besieged-receiver.ts';

let receiver: BesiegedReceiver;
beforeEach(async () => {
  receiver = await besiegedReceiver();
});
afterEach(() => receiver.stop());

const without = (letter: Letter, ...names: string[]): Letter => ({
  ...letter,
  headers: letter.headers.filter(([name]) => !names.includes(name)),
});
const withHeaders = (letter: Letter, ...more: [string, string][]): Letter => ({
  ...letter,
  headers: [...letter.headers, ...more],
});
const chunked = (letter: Letter, body: string): Letter => ({
  ...withHeaders(without(letter, 'content-length'), ['transfer-encoding', 'chunked']),
  body: Buffer.from(body, 'latin1'),
});
const asChunk = (body: Buffer, extension = ''): string =>
  `${body.length.toString(16)}${extension}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`;

const signed = signedLetter();
/** What a proxy might take for the body of the request before it: signed as well, so that only its framing is wrong. */
const hidden = bytesOf(signedLetter({ body: startedBody('smuggled') })).toString('latin1');
const raw = (headers: readonly string[], body: string): string =>
  `POST ${PATH} HTTP/1.1\r\nHost: usher\r\n${headers.join('\r\n')}\r\n\r\n${body}`;

describe('a request whose end two readers could see at different places is refused whole, with all that follows', () => {
  test.each<[string, string]>([
    ['a length and chunks', raw(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`)],
    ['chunks and a length', raw(['Transfer-Encoding: chunked', 'Content-Length: 5'], `0\r\n\r\n${hidden}`)],
    ['two lengths', raw(['Content-Length: 0', 'Content-Length: 900'], hidden)],
    ['the same length twice', raw(['Content-Length: 0', 'Content-Length: 0'], hidden)],
    ['two lengths in one header', raw(['Content-Length: 0, 900'], hidden)],
    ['a signed length', raw(['Content-Length: +0'], hidden)],
    ['a length in hex', raw(['Content-Length: 0x0'], hidden)],
    ['a space before the colon', raw(['Content-Length : 0'], hidden)],
    ['an encoding that nobody knows', raw(['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`)],
    ['chunked, but not last', raw(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`)],
    [
      'chunked twice',
      raw(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${hidden}`),
    ],
    ['a chunk of no size', raw(['Transfer-Encoding: chunked'], `\r\n\r\n${hidden}`)],
    ['a chunk of negative size', raw(['Transfer-Encoding: chunked'], `-1\r\nx\r\n0\r\n\r\n${hidden}`)],
    ['a chunk beyond all numbers', raw(['Transfer-Encoding: chunked'], `FFFFFFFFFFFFFFFFF\r\n${hidden}`)],
    ['chunks ended by bare line feeds', raw(['Transfer-Encoding: chunked'], `0\n\n${hidden}`)],
    ['a folded header', raw(['X-A: b', ' c', 'Content-Length: 0'], hidden)],
    ['a bare line feed in the head', raw(['X-A: b\nContent-Length: 0'], hidden)],
    ['only line feeds', `POST ${PATH} HTTP/1.1\nHost: usher\nContent-Length: 0\n\n${hidden}`],
    ['a bare carriage return in a header', raw(['X-A: b\rc', 'Content-Length: 0'], hidden)],
    ['a NUL in a header', raw(['X-A: b\0c', 'Content-Length: 0'], hidden)],
    ['bytes beyond ASCII in the target', raw(['Content-Length: 0'], hidden).replace(PATH, `${PATH}\xff`)],
    ['a space in the target', raw(['Content-Length: 0'], hidden).replace(PATH, `${PATH} x`)],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
    ['another version', raw(['Content-Length: 0'], hidden).replace('HTTP/1.1', 'HTTP/3.7')],
  ])('%s', async (_, bytes) => {
    expect(statusesOf(await receiver.exchange(bytes))).toEqual([400]);
    expect(receiver.intake.events).toEqual([]);
    expect(await receiver.send(signed)).toEqual([200]);
  });

  test('a request without a host is refused', async () => {
    const nowhere = `POST ${PATH} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`;
    expect(statusesOf(await receiver.exchange(nowhere))).toEqual([400]);
  });

  test('a tunnel is not opened', async () => {
    const answers = await receiver.exchange(
      `CONNECT 127.0.0.1:${receiver.port} HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`,
    );
    expect(statusesOf(answers)).toEqual([]);
    expect(receiver.intake.events).toEqual([]);
  });
});

describe('a stranger gets one answer, and his connection ends', () => {
  test.each<[string, string, number]>([
    ['another path', '/elsewhere', 404],
    ['a fragment', `${PATH}#x`, 404],
    ['an encoded fragment', `${PATH}%23x`, 404],
    ['a path parameter', `${PATH};a=b`, 404],
    ['an encoded letter', '/webhooks/%70latform', 404],
    ['an encoded slash', '/webhooks%2fplatform', 404],
    ['a double slash', '//webhooks/platform', 404],
    ['a detour', '/webhooks/x/../platform', 404],
    ['a trailing slash', `${PATH}/`, 404],
    ['capital letters', PATH.toUpperCase(), 404],
    ['the whole server', '*', 404],
    ['another scheme', `ftp://usher${PATH}`, 404],
    ['an absolute form without its host', `http://${PATH}`, 404],
    ['an absolute form with nothing behind', 'http://usher', 404],
    ['our path without a signature', PATH, 401],
    ['our path in absolute form', `http://other.example${PATH}`, 401],
    ['our path with a query', `${PATH}?${PATH}`, 401],
  ])('%s', async (_, target, status) => {
    const unsigned = `POST ${target} HTTP/1.1\r\nHost: usher\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n`;
    expect(statusesOf(await receiver.exchange(unsigned + unsigned))).toEqual([status]);
    expect(receiver.intake.events).toEqual([]);
  });

  const ours = ['authorization', 'x-service-content-sha256', 'x-service-timestamp'];
  test.each(ours)('%s twice, in any spelling, is refused', async (name) => {
    const [, value] = signed.headers.find(([header]) => header === name) ?? ['', ''];
    expect(await receiver.send(withHeaders(signed, [name.toUpperCase(), value]))).toEqual([401]);
    expect(await receiver.send(withHeaders(signed, [name, '']))).toEqual([401]);
    expect(receiver.intake.events).toEqual([]);
  });

  test('a thousand doubles, or headers without end, are an answer like any other', async () => {
    const thousand = Array.from({ length: 1_000 }, (): [string, string] => ['a', '']);
    // Newer Nodes count headers themselves, and answer 431.
    const refusals = [[401], [431]];
    expect(refusals).toContainEqual(
      await receiver.send(withHeaders(without(signed, 'authorization'), ...thousand)),
    );
    const endless = Array.from({ length: 10_000 }, (_, index): [string, string] => [`x-${index}`, 'y']);
    expect(await receiver.send(withHeaders(signed, ...endless))).toEqual([431]);
    expect(receiver.intake.events).toEqual([]);
  });

  test('an upgrade, a promise to go on and an unknown expectation change nothing', async () => {
    const unsigned = without(signed, 'authorization');
    expect(
      await receiver.send(withHeaders(unsigned, ['connection', 'upgrade'], ['upgrade', 'websocket'])),
    ).toEqual([401]);
    expect(
      await receiver.send(
        withHeaders(unsigned, ['upgrade', 'h2c'], ['connection', 'upgrade, http2-settings']),
      ),
    ).toEqual([401]);
    expect(await receiver.send(withHeaders(unsigned, ['expect', '100-continue']))).toEqual([401]);
    expect(await receiver.send(withHeaders(signed, ['expect', 'a miracle']))).toEqual([417]);
    expect(receiver.intake.events).toEqual([]);
    expect(await receiver.send(withHeaders(signed, ['expect', '100-continue']))).toEqual([200]);
  });
});

describe('what is verified is taken, however it is framed', () => {
  test('in chunks, with extensions and trailers that sign nothing', async () => {
    expect(await receiver.send(chunked(signed, asChunk(signed.body)))).toEqual([200]);
    expect(await receiver.send(chunked(signed, asChunk(signed.body, ';a="b"')))).toEqual([200]);
    const trailers = asChunk(signed.body).replace(/\r\n$/, 'authorization: HMAC-SHA256 x\r\n\r\n');
    expect(await receiver.send(chunked(signed, trailers))).toEqual([200]);
    const late = chunked(
      without(signed, 'authorization'),
      asChunk(signed.body).replace(
        /\r\n$/,
        `authorization: ${Object.fromEntries(signed.headers)['authorization'] ?? ''}\r\n\r\n`,
      ),
    );
    expect(await receiver.send(late)).toEqual([401]);
  });

  test('one behind the other on one connection, each with its own answer', async () => {
    const letters = ['a', 'b', 'c'].map((id) => signedLetter({ body: startedBody(id) }));
    const stranger = bytesOf(without(signed, 'authorization'));
    const [first, second, third] = letters.map(bytesOf) as [Buffer, Buffer, Buffer];
    const answers = await receiver.exchange(Buffer.concat([first, second, stranger, third]));
    // After a stranger's request the connection ends: what follows might be his as well.
    expect(statusesOf(answers)).toEqual([200, 200, 401]);
  });
});

describe('a recorded notification', () => {
  const MINUTE = 60_000;
  const again = async (timestamp: number | string): Promise<readonly number[]> =>
    receiver.send(signedLetter({ timestamp: String(timestamp) }));

  test('sent again within the window is answered 200 and becomes no second event', async () => {
    for (let time = 0; time < 5; time += 1) expect(await receiver.send(signed)).toEqual([200]);
    expect(receiver.intake.events).toHaveLength(1);
    expect(receiver.counted.of('notification.accepted stream.started duplicate')).toBe(4);
  });

  test.each<[string, number | string, number]>([
    ['as old as may be', NOW - 30 * MINUTE, 200],
    ['a millisecond older', NOW - 30 * MINUTE - 1, 401],
    ['as far ahead as may be', NOW + 5 * MINUTE, 200],
    ['a millisecond further', NOW + 5 * MINUTE + 1, 401],
    ['as old as may be, in seconds', (NOW - 30 * MINUTE) / 1000, 200],
    ['a second older', (NOW - 30 * MINUTE) / 1000 - 1, 401],
    ['a second further ahead', (NOW + 5 * MINUTE) / 1000 + 1, 401],
    ['a millisecond stamp cut to seconds', String(NOW).slice(0, 10), 200],
    ['seconds in the place of milliseconds', `000${NOW / 1000}`, 401],
    ['of the year 33658', '9999999999999', 401],
  ])('%s', async (_, timestamp, status) => {
    expect(await again(timestamp)).toEqual([status]);
  });

  test('with a fresh stamp in the place of its own is refused', async () => {
    const old = signedLetter({ timestamp: String(NOW - 31 * MINUTE) });
    const fresh = {
      ...old,
      headers: old.headers.map(
        ([name, value]) => [name, name.endsWith('timestamp') ? String(NOW) : value] as const,
      ),
    };
    expect(await receiver.send(fresh)).toEqual([401]);
  });
});

describe('signed bytes that are no good UTF-8', () => {
  const broken = (text: string): Buffer => Buffer.from(text.replace('us#room', 'us#r\u00ffoom'), 'latin1');

  test('are taken, with a mark where a byte says nothing: a refusal would lose the event', async () => {
    const body = broken(startedBody('us#stream'));
    expect(body.includes(0xff)).toBe(true);
    expect(await receiver.send(signedLetter({ body }))).toEqual([200]);
    expect(receiver.intake.events).toMatchObject([
      { type: 'stream.started', streamId: 'us#stream', tags: ['roomId:us#r\uFFFDoom'] },
    ]);
    expect(await receiver.send(signed)).toEqual([200]);
  });

  test('are refused where their structure is broken too', async () => {
    const body = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(startedBody('us#stream'))]);
    expect(await receiver.send(signedLetter({ body }))).toEqual([400]);
    expect(receiver.intake.events).toEqual([]);
  });
});
