import { expect, test } from 'vitest';
import { actionHistory } from '../../src/daemon/action-history.ts';
import { withId } from '../../src/domain/event-id.ts';
import type { MessagePosted, StreamStarted } from '../../src/domain/event.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { action, room } from '../egress/actions.ts';

const posted = (messageId: string, at: number): MessagePosted =>
  withId<MessagePosted>({
    type: 'message.posted',
    at,
    seenAt: at,
    source: 'poll',
    place: room,
    messageId,
    author: { key: 'name:ann', screenName: 'Ann', standing: 'anonymous', claimedRole: 'Participant' },
    text: 'hi',
    mimeType: 'text/plain',
    tags: [],
  });
const started = (streamId: string, at: number, tags: readonly string[] = []): StreamStarted =>
  withId<StreamStarted>({ type: 'stream.started', at, seenAt: at, source: 'webhook', streamId, tags });

/** A room's line in which an action was decided because of `cause`, at a time when the clock ran an hour ahead. */
async function decided() {
  const { journal } = memoryStore();
  const cause = posted('m2', 2_000);
  const append = (...events: readonly (MessagePosted | StreamStarted)[]) =>
    journal.append(events.map((event) => ({ lane: `room:${room.id}` as const, event })));
  await append(started('s0', 500, ['op:a']), posted('m1', 1_000), cause);
  await append(posted('m3', 3_000));
  const decidedAt = 3_600_000;
  return {
    append,
    history: actionHistory(journal),
    act: (because = [cause.id]) => action('composition.start', 'a', { because, decidedAt }),
  };
}

test('the newest message that was known is that of the cause, whatever was said since', async () => {
  const { history, act } = await decided();
  expect(await history.messageBefore(act())).toEqual({ messageId: 'm2', at: 2_000 });
});

test('no message is known where the cause is gone', async () => {
  const { history, act } = await decided();
  expect(await history.messageBefore(act(['gone']))).toBeUndefined();
});

test('its stream is one that was told after the cause, pages on, and not an older one with its tag', async () => {
  const { history, append, act } = await decided();
  await append(...Array.from({ length: 600 }, (_, i) => started(`other${i}`, i)));
  expect(await history.streamOf(act())).toBeUndefined();
  await append(started('s1', 10, ['kind:pip', 'op:a']));
  expect(await history.streamOf(act())).toBe('s1');
});
