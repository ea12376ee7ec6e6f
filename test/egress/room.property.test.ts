import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ActionHistory } from '../../src/egress/action-history.ts';
import { createPerform } from '../../src/egress/perform.ts';
import type { PlatformPort } from '../../src/egress/platform-port.ts';
import {
  MESSAGE_LIMITS,
  OutcomeUnknownError,
  RateLimitedError,
  TransportError,
  type Message,
} from '../../src/platform/index.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { action, intend, room } from './actions.ts';
import { runLives } from './lives.ts';
import { lifetimes, requestFate, suffer, type RequestFate } from './request-fate.ts';
import { virtualClock } from './virtual-clock.ts';

/** A room as the platform keeps it, behind requests with fates. Its clock is not ours. */
function scriptedRoom(clock: ReturnType<typeof virtualClock>, fates: RequestFate[]) {
  const messages: Message[] = [];
  const unavailable = () => {
    throw new Error('Only messages are played here.');
  };
  const client: PlatformPort = {
    async sendMessage({ message }, { signal } = {}) {
      const land = () => {
        const landed: Message = {
          ...message,
          messageId: `eu#m|1|${String(messages.length).padStart(6, '0')}`,
          timestamp: 1_000_000_000_000 + clock.monotonic(),
          deletedTimestamp: 0,
        };
        messages.push(landed);
        return landed;
      };
      const fate = fates.shift() ?? { fate: 'ok', takesMs: 5 };
      const result = await suffer(fate, clock, signal ?? new AbortController().signal, land);
      if (result.heard === 'answer') return { status: 'ok', message: result.answer };
      const evidence = { operation: 'sendMessage', attempts: 1 } as const;
      if (result.heard === 'refusal') throw new RateLimitedError({ ...evidence, outcome: 'nothing' });
      const cause = new TransportError({ ...evidence, outcome: 'unknown' }, 'broken');
      throw new OutcomeUnknownError({ ...evidence, outcome: 'unknown', cause });
    },
    async listMessages({ limit = 100, beforeMessageId }) {
      const below = messages.filter(({ messageId }) => !beforeMessageId || messageId < beforeMessageId);
      return {
        status: 'ok',
        messages: below.slice(-limit),
        hasMoreBefore: below.length > limit,
        hasMoreAfter: false,
      };
    },
    purgeMessages: unavailable,
    terminateStream: unavailable,
    createTranscoding: unavailable,
    deleteTranscoding: unavailable,
    createComposition: unavailable,
    updateComposition: unavailable,
    deleteComposition: unavailable,
  };
  return { client, messages };
}

/** Nothing is known: the whole room is searched. */
const noHistory: ActionHistory = {
  messageBefore: () => Promise.resolve(undefined),
  streamOf: () => Promise.resolve(undefined),
};

const plan = fc.record({
  deeds: fc.array(fc.oneof(fc.constant('say' as const), fc.integer({ min: 1, max: 40 })), {
    minLength: 1,
    maxLength: 8,
  }),
  fates: fc.array(requestFate, { maxLength: 8 }),
  lives: lifetimes,
});

test('each reply is said once and each message is hidden, in messages within the limits', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ deeds, fates, lives }) => {
      const clock = virtualClock();
      const store = memoryStore({ now: () => clock.now() });
      const { client, messages } = scriptedRoom(clock, [...fates]);
      const hide = (i: number, n: number) =>
        Array.from({ length: n }, (_, k) => `eu#${'y'.repeat(40)}|${i}|${k}`);
      await runLives({
        clock,
        store,
        lives,
        perform: createPerform({
          client,
          operator: { ban: () => Promise.resolve() },
          clock,
          webhookOf: () => undefined,
          history: noHistory,
        }),
        async intend(outbox) {
          const actions = deeds.map((deed, i) =>
            deed === 'say'
              ? action('message.send', `op${i}`, { decidedAt: clock.now() })
              : action('message.hide', `op${i}`, { messageIds: hide(i, deed) }),
          );
          outbox.enqueue(await intend(store.lanes, `room:${room.id}`, ...actions));
        },
      });
      const hidden = new Set(
        messages
          .filter(({ mimeType }) => mimeType !== 'text/plain')
          .flatMap(({ message }) => (JSON.parse(message) as { hide: string[] }).hide),
      );
      for (const [i, deed] of deeds.entries()) {
        const said = messages.filter(
          ({ mimeType, tags }) => mimeType === 'text/plain' && tags.includes(`op:op${i}`),
        );
        expect(said).toHaveLength(deed === 'say' ? 1 : 0);
        for (const id of deed === 'say' ? [] : hide(i, deed)) expect(hidden).toContain(id);
      }
      for (const { message, tags } of messages) {
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MESSAGE_LIMITS.message);
        expect(Buffer.byteLength(tags.join(''))).toBeLessThanOrEqual(MESSAGE_LIMITS.tags);
      }
    }),
    { numRuns: 100 },
  );
});
