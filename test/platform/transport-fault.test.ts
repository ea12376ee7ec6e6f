import { describe, expect, test } from 'vitest';
import { networkCode, transportFault } from '../../src/platform/transport-fault.ts';

describe('how a request failed below HTTP', () => {
  test.each([
    [{ code: 'ECONNREFUSED' }, 'not-connected'],
    [{ code: 'ENOTFOUND' }, 'not-connected'],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'not-connected'],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'not-connected'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'not-connected'],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'not-connected'],
    [{ code: 'EHOSTUNREACH', syscall: 'read' }, 'broken'],
    [{ code: 'ECONNRESET' }, 'broken'],
    [{ code: 'UND_ERR_SOCKET' }, 'broken'],
    [{ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }, 'too-large'],
    [{ code: 'UND_ERR_DESTROYED' }, 'closed'],
    [{ code: 7 }, 'broken'],
    ['text', 'broken'],
    [null, 'broken'],
  ])('%j is %s', (error, fault) => {
    expect(transportFault(error)).toBe(fault);
  });

  test('is shown by its code only', () => {
    expect(networkCode({ code: 'ECONNRESET', message: 'secret' })).toBe('ECONNRESET');
    expect(networkCode(undefined)).toBe('');
  });
});
