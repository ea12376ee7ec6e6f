import { describe, expect, test } from 'vitest';
import { signNotification } from '../../src/platform/index.ts';
import vectors from './vectors/webhook-signatures.json' with { type: 'json' };

describe('the signature of a notification', () => {
  test.each(vectors.vectors)('agrees with openssl and Python: $name', (vector) => {
    expect(signNotification(vector)).toEqual({
      authorization: vector.authorization,
      'content-type': vector.contentType,
      'x-service-content-sha256': vector.contentSha256,
      'x-service-timestamp': vector.timestamp,
    });
  });

  test('text and bytes of one body have one signature', () => {
    for (const vector of vectors.vectors)
      expect(signNotification({ ...vector, body: Buffer.from(vector.body) })).toEqual(
        signNotification(vector),
      );
  });

  test('another header prefix names other headers and signs the same', () => {
    const [vector] = vectors.vectors;
    expect(signNotification({ ...vector!, headerPrefix: 'X-Phoenix' })).toMatchObject({
      authorization: vector!.authorization,
      'x-phoenix-content-sha256': vector!.contentSha256,
      'x-phoenix-timestamp': vector!.timestamp,
    });
  });
});
