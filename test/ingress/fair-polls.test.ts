import { describe, expect, test } from 'vitest';
import { TimeExceededError } from '../../src/platform/index.ts';
import { pollingSetup } from './polling-setup.ts';

type Setup = ReturnType<typeof pollingSetup>;

/** Says something in each of the rooms now and then; how long each message took to be found, in ms. */
async function delays({ clock, platform, intake }: Setup, rooms: readonly string[], forMs: number) {
  const saidAt = new Map<string, number>();
  const until = clock.monotonic() + forMs;
  for (let index = 0; clock.monotonic() < until; index += 1) {
    const room = rooms[index % rooms.length] ?? '';
    saidAt.set(platform.say(room, 'hello').messageId, clock.now());
    await clock.advance(700);
  }
  await clock.advance(30_000);
  const found = new Map(intake.of('message.posted').map((event) => [event.messageId, event.seenAt]));
  return [...saidAt].map(([id, at]) => (found.get(id) ?? Infinity) - at);
}

const quiet = (setup: Setup, count = 10): readonly string[] =>
  Array.from({ length: count }, (_, index) => setup.platform.openRoom(`quiet-${index}`).roomId);

describe('polls are shared fairly', () => {
  test('a room that is written faster than it can be read does not hide the others', async () => {
    const setup = pollingSetup({ perSecond: 10 });
    const rooms = quiet(setup);
    setup.platform.openRoom('hot');
    setup.startPoller();
    await setup.clock.advance(20_000);
    const flood = (): void => {
      for (let index = 0; index < 160; index += 1) setup.platform.say('hot', 'x');
      if (setup.clock.monotonic() < 45_000) setup.clock.after(100, flood);
    };
    flood();
    const waited = await delays(setup, rooms, 20_000);
    expect(Math.max(...waited)).toBeLessThan(20_000);
    // And it is read on all the same, in order.
    const hot = setup.intake.of('message.posted').filter(({ place }) => place.id === 'hot');
    expect(hot.length).toBeGreaterThan(5_000);
    const ids = hot.map(({ messageId }) => messageId);
    expect(ids).toEqual(ids.toSorted());
  });

  test('hints without end do not hide the places that nobody hints at', async () => {
    const setup = pollingSetup();
    const rooms = quiet(setup, 4);
    const busy = Array.from({ length: 60 }, (_, index) => setup.platform.openRoom(`busy-${index}`).roomId);
    const poller = setup.startPoller();
    await setup.clock.advance(30_000);
    const storm = (): void => {
      for (const id of busy) poller.hint({ kind: 'room', id });
      if (setup.clock.monotonic() < 300_000) setup.clock.after(200, storm);
    };
    storm();
    setup.platform.openRoom('new');
    const waited = await delays(setup, rooms, 60_000);
    expect(Math.max(...waited)).toBeLessThan(45_000);
    expect(setup.intake.of('room.opened').map(({ place }) => place.id)).toContain('new');
  });

  test('rooms whose requests hang do not hold up the others', async () => {
    const setup = pollingSetup();
    const { clock, platform } = setup;
    const rooms = quiet(setup);
    for (let index = 0; index < 100; index += 1) platform.openRoom(`hangs-${index}`);
    const hangs = (request: string): boolean => request.includes('hangs');
    platform.hangsMs = (request) => (hangs(request) ? 10_000 : 0);
    platform.fault = (request) =>
      hangs(request)
        ? new TimeExceededError({
            operation: 'listMessages',
            attempts: 1,
            outcome: 'nothing',
            httpStatus: 504,
          })
        : undefined;
    setup.startPoller();
    await clock.advance(60_000);
    const waited = await delays(setup, rooms, 60_000);
    expect(Math.max(...waited)).toBeLessThan(16_000);
  });
});

describe('what was found and not taken in yet holds polls back', () => {
  test('all of them while the inbox is more than half full', async () => {
    let load = 0;
    const setup = pollingSetup({ load: () => load });
    setup.platform.openRoom('r1');
    setup.startPoller();
    await setup.clock.advance(20_000);
    load = 0.6;
    await setup.clock.advance(1_000);
    setup.platform.requests.length = 0;
    setup.platform.say('r1', 'waits');
    await setup.clock.advance(60_000);
    expect(setup.platform.requests).toEqual([]);
    load = 0.4;
    await setup.clock.advance(16_000);
    expect(setup.intake.of('message.posted').map(({ text }) => text)).toEqual(['waits']);
  });

  test('those of a place whose lane is behind, and of no other', async () => {
    const setup = pollingSetup();
    setup.platform.openRoom('r1');
    setup.platform.openRoom('r2');
    const poller = setup.startPoller();
    await setup.clock.advance(20_000);
    setup.directory.behind.set('r1', setup.clock.now() - 2_000);
    setup.platform.requests.length = 0;
    setup.platform.say('r1', 'waits');
    setup.platform.say('r2', 'goes');
    poller.hint({ kind: 'room', id: 'r1' });
    await setup.clock.advance(30_000);
    expect(setup.platform.requests.filter((request) => request.includes('r1'))).toEqual([]);
    expect(setup.intake.of('message.posted').map(({ text }) => text)).toEqual(['goes']);
    setup.directory.behind.clear();
    await setup.clock.advance(3_000);
    expect(setup.intake.of('message.posted').map(({ text }) => text)).toEqual(['goes', 'waits']);
  });
});
