import { describe, expect, test } from 'vitest';
import { callbackFor, sameEndpoint } from '../../src/daemon/callback.ts';

describe('the callback', () => {
  test.each([
    ['http://127.0.0.1:8081/webhooks/platform', 'POST http://127.0.0.1:8081/webhooks/platform'],
    ['https://bots.example.com/hook?tenant=a&x=%23', 'POST https://bots.example.com:443/hook?tenant=a&x=%23'],
    ['https://bots.example.com', 'POST https://bots.example.com:443/'],
    ['http://example.com?a=b?c', 'POST http://example.com:80/?a=b?c'],
    ['http://[::1]:9/w', 'POST http://[::1]:9/w'],
  ])('for %s the platform answers %s', (url, endpoint) => expect(callbackFor(url).endpoint).toBe(endpoint));

  test('a lone question mark is no difference, another port is one', () => {
    const { endpoint } = callbackFor('https://a.example/w');
    expect(sameEndpoint(`${endpoint}?`, endpoint)).toBe(true);
    expect(sameEndpoint(endpoint.replace('443', '80'), endpoint)).toBe(false);
  });
});
