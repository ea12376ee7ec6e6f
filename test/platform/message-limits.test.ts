import { describe, expect, test } from 'vitest';
import { messageExcess, MESSAGE_LIMITS, type MessageToSend } from '../../src/platform/index.ts';

const message = (over: Partial<MessageToSend> & { screenName?: string }): MessageToSend => ({
  from: { screenName: over.screenName ?? 'bot', role: 'Moderator', lastUpdate: 0 },
  mimeType: over.mimeType ?? 'text/plain',
  message: over.message ?? 'hi',
  tags: over.tags ?? [],
});

describe('the limits of a message are bytes in UTF-8, inclusive', () => {
  test.each([
    ['message', { message: 'ä'.repeat(512) }, { message: `${'ä'.repeat(512)}a` }],
    ['tags', { tags: ['a'.repeat(256), 'ö'.repeat(128)] }, { tags: ['a'.repeat(256), 'ö'.repeat(128), 'x'] }],
    ['screenName', { screenName: '😀'.repeat(32) }, { screenName: `${'😀'.repeat(32)}x` }],
    ['mimeType', { mimeType: 'x'.repeat(128) }, { mimeType: 'x'.repeat(129) }],
  ] as const)('%s', (field, fits, exceeds) => {
    const max = MESSAGE_LIMITS[field];
    expect(messageExcess(message(fits as Partial<MessageToSend>))).toBeUndefined();
    expect(messageExcess(message(exceeds as Partial<MessageToSend>))).toEqual({ field, bytes: max + 1, max });
  });
});
