import { expect, test } from 'vitest';
import { createPerform } from '../../../src/egress/perform.ts';
import type { PlatformPort } from '../../../src/egress/platform-port.ts';
import { OutcomeUnknownError, TransportError } from '../../../src/platform/index.ts';
import { memoryStore } from '../../../src/store/memory-store.ts';
import { action, intend, room } from '../actions.ts';
import { GRACE_MS, runLives } from '../lives.ts';
import { suffer, type RequestFate } from '../request-fate.ts';
import { scriptedPlatform, says, message } from '../scripted-platform.ts';
import { virtualClock, type VirtualClock } from '../virtual-clock.ts';

/** A room whose purges have fates, and in which people speak on. */
function livelyRoom(clock: VirtualClock, fates: RequestFate[]) {
  let messages: { readonly text: string; readonly timestamp: number }[] = [];
  const purgedAt: number[] = [];
  const say = (text: string) => void messages.push({ text, timestamp: clock.now() });
  const { client: listing } = scriptedPlatform(() =>
    says(200, 'ok', {
      messages: messages.map(({ text, timestamp }) => message(text, { timestamp })),
      hasMoreBefore: false,
      hasMoreAfter: false,
    }),
  );
  const client: PlatformPort = {
    ...listing,
    listMessages: (...args) => listing.listMessages(...args),
    async purgeMessages(_, { signal } = {}) {
      const land = () => {
        const deletedCount = messages.length;
        messages = [];
        purgedAt.push(clock.monotonic());
        return { status: 'ok', deletedCount } as const;
      };
      const fate = fates.shift() ?? { fate: 'ok', takesMs: 5 };
      const result = await suffer(fate, clock, signal ?? new AbortController().signal, land);
      if (result.heard === 'answer') return result.answer;
      const evidence = { operation: 'purgeMessages', attempts: 1, outcome: 'unknown' } as const;
      throw new OutcomeUnknownError({ ...evidence, cause: new TransportError(evidence, 'broken') });
    },
  };
  return { client, say, purgedAt, texts: () => messages.map(({ text }) => text) };
}

interface Purged {
  readonly purges: number;
  readonly left: readonly string[];
  readonly afterGrace: boolean;
}

/** "before" is said long before the purge, "soon" 7 s after it, and "late" once all is over. */
const table: readonly [string, RequestFate, readonly number[], Purged][] = [
  [
    'whose answer was lost is not repeated: what was said since stays',
    { fate: 'lost answer', takesMs: 200 },
    [],
    { purges: 1, left: ['soon', 'late'], afterGrace: false },
  ],
  [
    'that was lost happens after GRACE',
    { fate: 'lost request', takesMs: 0 },
    [],
    { purges: 1, left: ['late'], afterGrace: true },
  ],
  [
    'that lands late is not repeated',
    { fate: 'late landing', takesMs: 5_000 },
    [],
    { purges: 1, left: ['late'], afterGrace: false },
  ],
  [
    'whose daemon ended before the answer is not repeated by the next',
    { fate: 'lost answer', takesMs: 200 },
    [100, 10_000],
    { purges: 1, left: ['soon', 'late'], afterGrace: false },
  ],
  [
    'that was lost with its daemon happens after GRACE by the next',
    { fate: 'lost request', takesMs: 0 },
    [100, 10_000],
    { purges: 1, left: ['late'], afterGrace: true },
  ],
];

test.each(table)('a purge %s', async (_, fate, lives, expected) => {
  const clock = virtualClock();
  const store = memoryStore({ now: () => clock.now() });
  const { client, say, purgedAt, texts } = livelyRoom(clock, [fate]);
  const saidAt = clock.now();
  say('before');
  await clock.advance(60_000);
  const begunAt = clock.monotonic();
  clock.after(7_000, () => say('soon'));
  clock.after(120_000, () => say('late'));
  await runLives({
    clock,
    store,
    lives,
    perform: createPerform({
      client,
      operator: { ban: () => Promise.resolve() },
      clock,
      webhookOf: () => undefined,
      history: {
        messageBefore: () => Promise.resolve({ messageId: 'before', at: saidAt }),
        streamOf: () => Promise.resolve(undefined),
      },
    }),
    async intend(outbox) {
      const purge = action('room.purge', 'purge', { decidedAt: clock.now() });
      outbox.enqueue(await intend(store.lanes, `room:${room.id}`, purge));
    },
  });
  expect(await store.actions.find('purge')).toMatchObject({ outcome: 'performed' });
  expect({
    purges: purgedAt.length,
    left: texts(),
    afterGrace: (purgedAt[0] ?? 0) >= begunAt + GRACE_MS,
  }).toEqual(expected);
});
