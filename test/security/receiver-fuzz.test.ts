import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  besiegedReceiver,
  bytesOf,
  PATH,
  signedLetter,
  startedBody,
  statusesOf,
  type BesiegedReceiver,
  type Letter,
} from './besieged-receiver.ts';

let receiver: BesiegedReceiver;
let goodOnes = 0;
beforeAll(async () => {
  receiver = await besiegedReceiver({ requestTimeoutMs: 2_000 });
});
afterAll(() => receiver.stop());

/** After each attack: nothing was taken, nothing broke, and the platform is served as before. */
const unharmed = async (): Promise<void> => {
  goodOnes += 1;
  expect(await receiver.send(signedLetter({ body: startedBody(`good ${goodOnes}`) }))).toEqual([200]);
  expect(receiver.intake.events).toHaveLength(goodOnes);
  expect(receiver.log.lines).toEqual([]);
};

/** Any byte, as a character of the head. */
const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code));
const bytes = (maxLength: number) => fc.string({ unit: byte, maxLength });

describe('whatever bytes come', () => {
  test('noise is never accepted', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4_000 }), async (noise) => {
        expect(statusesOf(await receiver.exchange(Buffer.from(noise)))).not.toContain(200);
        await unharmed();
      }),
      { numRuns: 100 },
    ));

  test('what looks like HTTP, but is not signed, is never accepted', () => {
    const method = fc.constantFrom('POST', 'PUT', 'GET', 'DELETE', 'PATCH', 'post', 'P\u00d6ST', 'BREW');
    const target = fc.oneof(
      fc.constant(PATH),
      bytes(60),
      bytes(20).map((tail) => PATH + tail),
    );
    const name = fc.constantFrom(
      'authorization',
      'content-type',
      'content-length',
      'transfer-encoding',
      'content-encoding',
      'x-service-timestamp',
      'x-service-content-sha256',
      'expect',
      'connection',
      '__proto__',
    );
    const value = fc.oneof(
      fc.constantFrom('application/json', 'chunked', 'HMAC-SHA256 AAAA', '1800000000', '5', 'gzip', 'close'),
      bytes(40),
    );
    const letter = fc.record({
      method,
      target,
      headers: fc.array(fc.tuple(fc.oneof(name, bytes(12)), value), { maxLength: 12 }),
      body: fc.uint8Array({ maxLength: 200 }).map((body) => Buffer.from(body)),
    });
    return fc.assert(
      fc.asyncProperty(letter, async (any) => {
        expect(statusesOf(await receiver.exchange(bytesOf(any)))).not.toContain(200);
        await unharmed();
      }),
      { numRuns: 300 },
    );
  });
});

describe('a signed notification', () => {
  const signed = signedLetter();
  const tampered: fc.Arbitrary<Letter> = fc.oneof(
    // A bit of the body.
    fc.record({ at: fc.nat(signed.body.length - 1), bit: fc.nat(7) }).map(({ at, bit }) => {
      const body = Buffer.from(signed.body);
      body.writeUInt8((body[at] ?? 0) ^ (1 << bit), at);
      return { ...signed, body };
    }),
    // A character of one of the headers that count.
    fc
      .record({ header: fc.integer({ min: 2, max: signed.headers.length - 1 }), at: fc.nat(200), to: byte })
      .map(({ header, at, to }) => {
        const headers = signed.headers.map(([name, value], index): readonly [string, string] => {
          if (index !== header) return [name, value];
          const place = at % value.length;
          return [name, value.slice(0, place) + to + value.slice(place + 1)];
        });
        return { ...signed, headers };
      }),
    // A header left out, or said twice.
    fc
      .record({
        header: fc.integer({ min: 2, max: signed.headers.length - 1 }),
        times: fc.constantFrom(0, 2, 3),
      })
      .map(({ header, times }) => ({
        ...signed,
        headers: signed.headers.flatMap((entry, index) =>
          index === header ? Array.from({ length: times }, () => entry) : [entry],
        ),
      })),
    // Another method or target.
    fc.constantFrom('PUT', 'GET').map((method) => ({ ...signed, method })),
    bytes(20)
      .filter((tail) => tail !== '')
      .map((tail) => ({ ...signed, target: `${PATH}?${tail}` })),
  );

  test('that was tampered with anywhere is never accepted', () =>
    fc.assert(
      fc.asyncProperty(tampered, async (letter) => {
        fc.pre(!bytesOf(letter).equals(bytesOf(signed)));
        expect(statusesOf(await receiver.exchange(bytesOf(letter)))).not.toContain(200);
        await unharmed();
      }),
      { numRuns: 400 },
    ));

  test('with any bytes as its body is answered 200 or 400, and never breaks anything', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }).map((body) => Buffer.from(body)),
          fc.json().map((body) => Buffer.from(body)),
          // The right fields with anything in them.
          fc
            .record(
              {
                entity: fc.constantFrom('stream', 'room'),
                what: fc.constantFrom('started', 'ended', 'live', 'on-demand', '__proto__'),
                data: fc.dictionary(
                  fc.constantFrom('streamId', 'tags', 'uri', 'duration', 'reason', 'isPrimary', '__proto__'),
                  fc.jsonValue({ maxDepth: 2 }),
                ),
                timestamp: fc.jsonValue({ maxDepth: 1 }),
                sessionId: fc.jsonValue({ maxDepth: 1 }),
              },
              { requiredKeys: [] },
            )
            .map((body) => Buffer.from(JSON.stringify(body))),
        ),
        async (body) => {
          const own = await besiegedReceiver();
          try {
            const statuses = await own.send(signedLetter({ body }));
            expect([[200], [400]]).toContainEqual(statuses);
            expect(own.intake.events).toHaveLength(statuses[0] === 200 ? 1 : 0);
            expect(own.log.lines.join()).not.toContain('failed on a request');
          } finally {
            await own.stop();
          }
        },
      ),
      { numRuns: 200 },
    ));
});
