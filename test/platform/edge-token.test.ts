import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createEdgeToken, readEdgeToken } from '../../src/platform/index.ts';

const signer = { applicationId: 'app', secret: 'secret' };
const NOW = 1_700_000_000_000;
const claims = { expires: NOW + 1, originStreamId: 'us#1' };
const wrap = (body: unknown): string => `DIGEST:${Buffer.from(JSON.stringify(body)).toString('base64')}`;

describe('an edge token', () => {
  test('has the documented form', () => {
    const [prefix, base64] = createEdgeToken(signer, claims).split(':');
    const body: unknown = JSON.parse(Buffer.from(base64!, 'base64').toString());
    const token = JSON.stringify(claims);
    const digest = createHmac('sha512', 'appsecret').update(token).digest('base64');
    expect(prefix).toBe('DIGEST');
    expect(body).toEqual({ applicationId: 'app', digest, token });
  });

  test('gives its claims back, unknown ones included', () => {
    expect(readEdgeToken(createEdgeToken(signer, claims), signer, NOW)).toEqual({ ok: true, claims });
  });

  test.each([
    ['expired', createEdgeToken(signer, { expires: NOW }), 'expired'],
    ['of another application', createEdgeToken({ ...signer, applicationId: 'x' }, claims), 'application'],
    ['signed with another secret', createEdgeToken({ ...signer, secret: 'x' }, claims), 'digest'],
    ['without prefix', createEdgeToken(signer, claims).slice(7), 'malformed'],
    ['of garbage', 'DIGEST:%%%', 'malformed'],
    ['without fields', wrap({}), 'malformed'],
    ['with a short digest', wrap({ applicationId: 'app', digest: 'x', token: '{}' }), 'digest'],
  ])('%s is refused', (_, token, reason) => {
    expect(readEdgeToken(token, signer, NOW)).toEqual({ ok: false, reason });
  });
});
