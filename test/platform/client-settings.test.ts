import { describe, expect, test } from 'vitest';
import { readClientSettings } from '../../src/platform/client-settings.ts';
import { ClientOptionsError, type PlatformClientOptions } from '../../src/platform/index.ts';

const good = { baseUrl: 'https://platform.example', applicationId: 'app', secret: 'c4n4ry' };
const faultsOf = (options: Partial<PlatformClientOptions>): readonly string[] => {
  try {
    readClientSettings({ ...good, ...options });
    return [];
  } catch (error) {
    if (!(error instanceof ClientOptionsError)) throw error;
    expect(error.message + error.stack).not.toContain('c4n4ry');
    return error.faults;
  }
};

describe('the options of a client', () => {
  test('have the defaults of the interface', () => {
    expect(readClientSettings(good)).toMatchObject({
      pathPrefix: '/svc',
      videoPrefix: '/video',
      deadlineMs: 10_000,
    });
  });

  test.each([
    'http://localhost:1',
    'http://127.0.0.1:1',
    'http://127.8.8.8',
    'http://[::1]:1',
    'http://sandbox.localhost',
    'https://platform.example/base',
  ])('accept %s', (baseUrl) => {
    expect(faultsOf({ baseUrl })).toEqual([]);
  });

  test.each([
    'http://platform.example',
    'http://0.0.0.0',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'ftp://localhost',
    'platform.example',
    '',
    'https://user:pass@platform.example',
    'https://platform.example?x=1',
    'https://platform.example#x',
  ])('refuse %s', (baseUrl) => {
    expect(faultsOf({ baseUrl })).toEqual([expect.stringMatching(/^baseUrl: /)]);
  });

  test('let plain HTTP out only when told so', () => {
    expect(faultsOf({ baseUrl: 'http://platform.example', allowInsecure: true })).toEqual([]);
  });

  test.each([
    ['applicationId', { applicationId: '' }],
    ['applicationId', { applicationId: 'a:b' }],
    ['secret', { secret: '' }],
    ['secret', { secret: 'c4n4ry\n' }],
    ['pathPrefix', { pathPrefix: 'svc' }],
    ['pathPrefix', { pathPrefix: '/svc/' }],
    ['deadlineMs', { deadlineMs: 0 }],
  ])('refuse a wrong %s: %j', (field, options) => {
    expect(faultsOf(options)).toEqual([expect.stringMatching(new RegExp(`^${field}: `))]);
  });

  test('tell all faults at once', () => {
    expect(faultsOf({ secret: '', applicationId: '' })).toHaveLength(2);
  });
});
