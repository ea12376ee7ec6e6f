import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rebuildLanes } from '../../src/daemon/rebuild-lanes.ts';
import type { UsherEvent } from '../../src/domain/event.ts';
import type { LaneDocument } from '../../src/engine/ports.ts';
import {
  composition,
  defineKeeper,
  hideMessage,
  reply,
  strikeMember,
  transcoding,
  z,
} from '../../src/plugin/index.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import type { LaneRebuild } from '../../src/store/lane-rebuild.ts';
import { bind, bot, ladders, rule } from '../engine/bots.ts';
import { ends, joined, opened, publishes, room, ROOM, says } from '../engine/facts.ts';
import { stage, type Stage } from '../engine/stage.ts';

const hls = defineKeeper({
  name: 'hls',
  options: z.unknown(),
  desired: (place) =>
    [...place.streams.values()].map(({ streamId }) => transcoding(streamId, { type: 'HLS' })),
});
const pip = defineKeeper({
  name: 'pip',
  options: z.unknown(),
  grace: () => ({ startMs: 1_000, stopMs: 5_000 }),
  desired: (place) => {
    const inputs = place.publishers().map(({ streams }) => ({ streamId: streams[0]?.streamId ?? '' }));
    return inputs.length < 2 ? [] : [composition('pip', { inputs })];
  },
});
const slurs = rule('slurs', ['message.posted'], (event) =>
  event.type === 'message.posted' && event.text.includes('slur')
    ? [
        hideMessage(event),
        strikeMember(event.author, { ladder: 'chat', because: event }),
        reply(event, 'No.'),
      ]
    : [],
);
const chat = ladders({
  name: 'chat',
  decay: { points: 1, everyMs: 60_000 },
  steps: [
    {
      at: 2,
      act: ({ member, screenName, event }) => [
        { type: 'member.mute', place: ROOM, member, screenName, forMs: 10_000, because: [event.id] },
      ],
    },
  ],
});
const BOTS: readonly Bot[] = [bot([bind(slurs), bind(hls), bind(pip)], { ladders: chat })];

/** The journal of a life, and a place for the lanes that are made from it. */
async function sourceOf({
  store,
}: Stage): Promise<LaneRebuild & { readonly made: Map<string, LaneDocument> }> {
  const undone = new Set((await store.journal.undone(1e6)).map(({ seq }) => seq));
  const rows = (await store.journal.read({})).filter(({ seq }) => !undone.has(seq));
  const open = new Set((await store.actions.open()).map(({ action }) => action.id));
  const made = new Map<string, LaneDocument>();
  return {
    made,
    *pages() {
      for (let from = 0; from < rows.length; from += 7) yield structuredClone(rows.slice(from, from + 7));
    },
    openActions: () => open,
    replace(lanes) {
      for (const lane of lanes) made.set(lane.lane, lane);
    },
    close: () => undefined,
  };
}

const lanesOf = async ({ store }: Stage): Promise<Map<string, LaneDocument>> => {
  const found = new Map<string, LaneDocument>();
  for (const { lane } of await store.lanes.list()) {
    const document = await store.lanes.load(lane);
    if (document) found.set(lane, document);
  }
  return found;
};

/** What happens in a show; numbers make it different each time. */
const step = fc.oneof(
  fc.record({ joins: fc.constantFrom('ann', 'bob', 'cy') }),
  fc.record({
    says: fc.constantFrom('ann', 'bob', 'cy'),
    text: fc.constantFrom('hello', 'a slur', 'slur slur'),
  }),
  fc.record({ publishes: fc.constantFrom('ann', 'bob', 'cy'), stream: fc.nat({ max: 5 }) }),
  fc.record({ ends: fc.nat({ max: 5 }) }),
  fc.record({ waits: fc.integer({ min: 500, max: 20_000 }) }),
  fc.constantFrom('settle' as const, 'refuse' as const),
);

test('gives every lane the state that its life gave it, and decides nothing', async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const one = await stage(BOTS);
      await one.feed(opened(), opened(room('r2')));
      const settledBefore = new Set<string>();
      let at = 0;
      for (const what of steps) {
        at += 1;
        const events: UsherEvent[] = [];
        if (what === 'settle' || what === 'refuse') {
          for (const { action } of one.intents.slice()) {
            if (settledBefore.has(action.id)) continue;
            settledBefore.add(action.id);
            const ids = {
              transcodingId: `t-${action.id}`,
              compositionId: `c-${action.id}`,
              messageId: `m-${action.id}`,
            };
            await (what === 'settle' ? one.settle(action, 'performed', ids) : one.settle(action, 'failed'));
          }
        } else if ('joins' in what) events.push(joined(what.joins, at));
        else if ('says' in what) events.push(says(what.says, what.text, at));
        else if ('publishes' in what)
          events.push(publishes(what.publishes, `s${what.stream}-${at >> 3}`, at));
        else if ('ends' in what) events.push(ends(`s${what.ends}-${at >> 3}`, at));
        else await one.clock.advance(what.waits);
        await one.feed(...events);
      }
      await one.engine.drain(1_000);
      await one.engine.stop();
      const actions = (await one.store.actions.open()).length;
      const source = await sourceOf(one);
      await rebuildLanes(source, { bots: BOTS, bans: [] });
      const lived = await lanesOf(one);
      expect(Object.fromEntries(source.made)).toEqual(Object.fromEntries(lived));
      for (const name of Object.keys(lived.get('room:r1')?.parts ?? {}))
        kinds.add(name.slice(0, name.indexOf('/')));
      expect((await one.store.actions.open()).length).toBe(actions);
    }),
    { numRuns: 60, seed: 7 },
  );
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'member',
      'stream',
      'tombstone',
      'strikes',
      'mute',
      'resource',
      'wish',
      'pause',
      'messages',
    ]),
  );
});

test('a keeper waits for no action that was never an intent', async () => {
  const silent = await stage([]);
  await silent.feed(opened(), publishes('ann', 's1', 1));
  await silent.engine.stop();
  const source = await sourceOf(silent);
  await rebuildLanes(source, { bots: BOTS, bans: [] });
  const parts = Object.entries(source.made.get('room:r1')?.parts ?? {});
  expect(parts.filter(([name]) => name.startsWith('stream/'))).toHaveLength(1);
  expect(
    parts.filter(([name, part]) => name.startsWith('resource/') && JSON.stringify(part).includes('pending')),
  ).toEqual([]);
  expect(source.made.get('room:r1')?.position).toBe(2);
  expect(source.made.get('room:r1')?.wakeAt).not.toBeNull();
});

test('an intent that is open is waited for', async () => {
  const one = await stage(BOTS);
  await one.feed(opened(), publishes('ann', 's1', 1));
  await one.engine.stop();
  const source = await sourceOf(one);
  await rebuildLanes(source, { bots: BOTS, bans: [] });
  expect(source.made.get('room:r1')?.parts).toEqual((await one.store.lanes.load(`room:${ROOM.id}`))?.parts);
  expect(JSON.stringify(source.made.get('room:r1')?.parts)).toContain('"pending"');
});
