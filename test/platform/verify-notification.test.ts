import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createNotificationVerifier,
  signNotification,
  verifyNotification,
  type ReceivedNotification,
  type VerifierOptions,
} from '../../src/platform/index.ts';
import vectors from './vectors/webhook-signatures.json' with { type: 'json' };

const NOW = 1_700_000_000_000;
const secret = 'top-secret';

type Request = ReceivedNotification & VerifierOptions;
interface Parts {
  method?: string;
  target?: string;
  contentType?: string;
  timestamp?: string;
  body?: string;
}

const signed = (parts: Parts = {}): Request => {
  const notification = {
    method: 'POST',
    target: '/hook?a=%23',
    contentType: 'application/json',
    timestamp: String(NOW),
    body: '{"what":"started"}',
    ...parts,
  };
  return {
    ...notification,
    headers: signNotification({ secret, ...notification }),
    secrets: [secret],
    nowMs: NOW,
  };
};
const withHeaders = (
  headers: Record<string, string | readonly string[] | undefined>,
  parts?: Parts,
): Request => {
  const request = signed(parts);
  return { ...request, headers: { ...request.headers, ...headers } };
};
const authorization = String(signed().headers['authorization']);

describe('a notification is taken', () => {
  test.each(vectors.vectors)('when its signature is that of the vector: $name', (vector) => {
    const unit = vector.timestamp.length === 10 ? 's' : 'ms';
    const timestampMs = Number(vector.timestamp) * (unit === 's' ? 1000 : 1);
    expect(
      verifyNotification({
        ...vector,
        secrets: [vector.secret],
        nowMs: timestampMs,
        headers: {
          authorization: vector.authorization,
          'content-type': vector.contentType,
          'x-service-content-sha256': vector.contentSha256,
          'x-service-timestamp': vector.timestamp,
        },
      }),
    ).toEqual({ ok: true, timestampMs, unit, secretIndex: 0 });
  });

  const accepted: [string, Request, object][] = [
    ['with seconds', signed({ timestamp: '1700000000' }), { unit: 's', timestampMs: NOW }],
    ['with a charset', signed({ contentType: 'application/json; charset=utf-8' }), { unit: 'ms' }],
    ['with an old and a new secret', { ...signed(), secrets: ['old', secret] }, { secretIndex: 1 }],
    ['with headers as lists of one', withHeaders({ authorization: [authorization] }), { ok: true }],
    ['at the age limit', { ...signed(), nowMs: NOW + 30 * 60_000 }, { ok: true }],
    ['at the limit ahead', { ...signed(), nowMs: NOW - 5 * 60_000 }, { ok: true }],
    ['with the locked unit', { ...signed(), unit: 'ms' }, { unit: 'ms' }],
  ];
  test.each(accepted)('%s', (_, request, expected) => {
    expect(verifyNotification(request)).toMatchObject({ ok: true, ...expected });
  });
});

describe('a notification is rejected', () => {
  const unpadded = authorization.replace(/=+$/, '');
  const urlSafe = authorization.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const rejected: [string, Request, string][] = [
    ['without authorization', withHeaders({ authorization: undefined }), 'missing-header'],
    ['with an empty authorization', withHeaders({ authorization: '' }), 'missing-header'],
    ['with an empty list', withHeaders({ authorization: [] }), 'missing-header'],
    ['without a hash', withHeaders({ 'x-service-content-sha256': undefined }), 'missing-header'],
    ['without a timestamp', withHeaders({ 'x-service-timestamp': undefined }), 'missing-header'],
    ['without a media type', withHeaders({ 'content-type': undefined }), 'missing-header'],
    [
      'with a doubled header',
      withHeaders({ authorization: [authorization, authorization] }),
      'doubled-header',
    ],
    [
      'with a doubled timestamp that node joined',
      withHeaders({ 'x-service-timestamp': `${NOW}, ${NOW}` }),
      'timestamp-format',
    ],
    ['with another prefix', { ...signed(), headerPrefix: 'X-Other' }, 'missing-header'],
    ['as text', signed({ contentType: 'text/plain' }), 'content-type'],
    [
      'as JSON with another charset',
      signed({ contentType: 'application/json; charset=latin1' }),
      'content-type',
    ],
    [
      'with a digit moved from the timestamp',
      signed({ contentType: 'application/json1', timestamp: '700000000000' }),
      'content-type',
    ],
    ['with a negative timestamp', signed({ timestamp: '-1700000000' }), 'timestamp-format'],
    ['with a hex timestamp', signed({ timestamp: '0x65534f00ff' }), 'timestamp-format'],
    ['with a fraction', signed({ timestamp: '1700000000.5' }), 'timestamp-format'],
    ['with eleven digits', signed({ timestamp: '17000000000' }), 'timestamp-format'],
    ['with a padded timestamp', signed({ timestamp: ' 1700000000' }), 'timestamp-format'],
    ['with the other unit than the locked one', { ...signed(), unit: 's' }, 'timestamp-unit'],
    ['with a target outside ASCII', signed({ target: '/hook?ä' }), 'target'],
    ['with a body re-serialised', { ...signed(), body: '{ "what": "started" }' }, 'content-hash'],
    ['with a BOM before the body', { ...signed(), body: '\uFEFF{"what":"started"}' }, 'content-hash'],
    ['with another method', { ...signed(), method: 'PUT' }, 'signature'],
    ['with a decoded target', { ...signed(), target: '/hook?a=#' }, 'signature'],
    ['with another secret', { ...signed(), secrets: ['other'] }, 'signature'],
    ['with an unpadded signature', withHeaders({ authorization: unpadded }), 'signature'],
    ['with a url-safe signature', withHeaders({ authorization: urlSafe }), 'signature'],
    [
      'with another scheme',
      withHeaders({ authorization: authorization.replace('HMAC-', 'hmac-') }),
      'signature',
    ],
    ['when it is too old', { ...signed(), nowMs: NOW + 30 * 60_000 + 1 }, 'too-old'],
    ['when it is too far ahead', { ...signed(), nowMs: NOW - 5 * 60_000 - 1 }, 'too-far-ahead'],
    ['without any secret', { ...signed(), secrets: [] }, 'no-secret'],
    ['with an empty secret', { ...signed(), secrets: [''] }, 'no-secret'],
  ];
  test.each(rejected)('%s', (_, request, reason) => {
    expect(verifyNotification(request)).toMatchObject({ ok: false, reason });
  });

  test('with an empty secret beside a real one, for anything that the empty one signed', () => {
    const request = signed();
    const headers = signNotification({
      secret: '',
      method: 'POST',
      target: request.target,
      contentType: 'application/json',
      timestamp: String(NOW),
      body: request.body,
    });
    expect(verifyNotification({ ...request, headers, secrets: ['', secret] })).toMatchObject({
      reason: 'signature',
    });
  });
});

describe('for any notification', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const target = fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`);
  const verify = createNotificationVerifier({ secrets: [secret] });

  const parts = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    target,
    body: bytes,
    timestamp: fc.constantFrom('1700000000', '1700000000000'),
    contentType: fc.constantFrom('application/json', 'application/json; charset=utf-8'),
  });

  test('what was signed verifies', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const headers = signNotification({ ...given, secret });
        expect(verify({ ...given, headers, nowMs: NOW })).toMatchObject({ ok: true });
      }),
    );
  });

  test('one changed byte anywhere is rejected', () => {
    const where = fc.constantFrom(
      'body',
      'target',
      'method',
      'authorization',
      'x-service-content-sha256',
      'x-service-timestamp',
      'content-type',
    );
    const flipped = (given: Uint8Array, at: number, flip: number): Buffer => {
      const changed = Buffer.from(given.length === 0 ? [0] : given);
      changed[at % changed.length]! ^= flip;
      return changed;
    };
    fc.assert(
      fc.property(parts, where, fc.nat(), fc.integer({ min: 1, max: 127 }), (given, field, at, flip) => {
        const headers = signNotification({ ...given, secret });
        const original: Readonly<Record<string, string>> = {
          ...headers,
          target: given.target,
          method: given.method,
        };
        const changed = flipped(Buffer.from(original[field] ?? ''), at, flip).toString();
        const tampered = {
          method: field === 'method' ? changed : given.method,
          target: field === 'target' ? changed : given.target,
          body: field === 'body' ? flipped(given.body, at, flip) : given.body,
          headers: field in headers ? { ...headers, [field]: changed } : headers,
        };
        expect(verify({ ...tampered, nowMs: NOW }).ok).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test('garbage is an answer, never an exception', () => {
    const value = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string())), {
      nil: undefined,
    });
    fc.assert(
      fc.property(
        fc.record({
          method: fc.string(),
          target: fc.string({ unit: 'binary' }),
          body: bytes,
          nowMs: fc.double(),
          headers: fc.record({
            authorization: value,
            'content-type': value,
            'x-service-content-sha256': value,
            'x-service-timestamp': value,
          }),
        }),
        (request) => {
          expect(verify(request).ok).toBe(false);
        },
      ),
    );
  });
});
