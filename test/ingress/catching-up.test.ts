import { describe, expect, test } from 'vitest';
import { ServerError } from '../../src/platform/index.ts';
import { messagePages, PAGE_LIMIT } from '../../src/ingress/message-pages.ts';
import { heapInUse } from '../engine/heap.ts';
import { pollingSetup } from './polling-setup.ts';

const MINUTE = 60_000;
const outage = (): Error =>
  new ServerError({ operation: 'listMessages', attempts: 1, outcome: 'nothing', httpStatus: 502 });
const lines = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `m${index}`);

/** A room that was read to its end before the daemon went. */
async function away(over: Parameters<typeof pollingSetup>[0] = {}) {
  const setup = pollingSetup(over);
  const room = setup.platform.openRoom('r1');
  const first = setup.startPoller();
  setup.platform.say('r1', 'before');
  await setup.clock.advance(10_000);
  await first.stop();
  const posted = () => setup.intake.of('message.posted').filter(({ text }) => text !== 'before');
  return { ...setup, room, posted };
}

describe('after a downtime', () => {
  test('a talk of many pages is read in turns, in order, and all of it counts as found late', async () => {
    const { clock, platform, posted, startPoller } = await away();
    const said = lines(20 * PAGE_LIMIT);
    for (const text of said) platform.say('r1', text);
    await clock.advance(20 * MINUTE);
    startPoller();
    await clock.advance(2 * MINUTE);
    expect(posted().map(({ text }) => text)).toEqual(said);
    expect(new Set(posted().map(({ source }) => source))).toEqual(new Set(['reconcile']));
    platform.say('r1', 'fresh');
    await clock.advance(20_000);
    expect(posted().at(-1)).toMatchObject({ text: 'fresh', source: 'poll' });
  });

  test('a failure in the middle of it does not make the rest fresh', async () => {
    const { clock, platform, posted, startPoller } = await away();
    for (const text of lines(5 * PAGE_LIMIT)) platform.say('r1', text);
    await clock.advance(20 * MINUTE);
    let pages = 0;
    platform.fault = (request) => {
      if (!request.startsWith('listMessages')) return undefined;
      pages += 1;
      return pages === 3 ? outage() : undefined;
    };
    startPoller();
    await clock.advance(MINUTE);
    expect(posted()).toHaveLength(5 * PAGE_LIMIT);
    expect(new Set(posted().map(({ source }) => source))).toEqual(new Set(['reconcile']));
  });

  test('what was said before a purge and never read is a gap, told once and first', async () => {
    const { clock, platform, room, intake, log, startPoller } = await away();
    platform.say('r1', 'lost');
    room.messages = [];
    platform.say('r1', 'after');
    startPoller();
    await clock.advance(5 * MINUTE);
    expect(
      intake.events
        .filter(({ type }) => type === 'place.gap' || type === 'message.posted')
        .map((event) => (event.type === 'message.posted' ? event.text : event.type)),
    ).toEqual(['before', 'place.gap', 'after']);
    expect(log.lines.filter((line) => line.includes('purged'))).toHaveLength(1);
  });

  test('a platform that is shy of what lies before a page makes no gap', async () => {
    const { clock, platform, intake, posted, startPoller } = await away();
    const { listMessages } = platform.client;
    Object.assign(platform.client, {
      listMessages: async (input: Parameters<typeof listMessages>[0], options: never) => ({
        ...(await listMessages(input, options)),
        ...(input.afterMessageId !== undefined && { hasMoreBefore: false }),
      }),
    });
    platform.say('r1', 'one');
    startPoller();
    await clock.advance(MINUTE);
    platform.requests.length = 0;
    platform.say('r1', 'two');
    await clock.advance(MINUTE);
    expect(intake.of('place.gap')).toEqual([]);
    expect(posted().map(({ text }) => text)).toEqual(['one', 'two']);
    // It was asked once, and is not asked again with each message.
    expect(platform.requests.filter((request) => request.includes('before='))).toEqual([]);
  });
});

describe('while it runs', () => {
  test('what polls find after an outage of theirs counts as found late, too', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    startPoller();
    await clock.advance(MINUTE);
    platform.fault = outage;
    platform.say('r1', 'said in the outage');
    await clock.advance(20 * MINUTE);
    platform.fault = () => undefined;
    await clock.advance(5 * MINUTE);
    platform.say('r1', 'said after it');
    await clock.advance(MINUTE);
    expect(intake.of('message.posted').map(({ text, source }) => `${text}: ${source}`)).toEqual([
      'said in the outage: reconcile',
      'said after it: poll',
    ]);
  });

  test('a room seen for the first time gives all of the last minutes, however many pages', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    platform.say('r1', 'old', { timestamp: clock.now() - 10 * MINUTE });
    for (const text of lines(5 * PAGE_LIMIT)) platform.say('r1', text);
    startPoller();
    await clock.advance(MINUTE);
    expect(intake.of('message.posted').map(({ text }) => text)).toEqual(lines(5 * PAGE_LIMIT));
    expect(intake.of('place.gap')).toEqual([]);
  });

  test('more than can be read at once at a first look is a gap', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    for (const text of lines(40 * PAGE_LIMIT)) platform.say('r1', text);
    startPoller();
    await clock.advance(MINUTE);
    expect(intake.of('place.gap').map(({ reason }) => reason)).toEqual([
      expect.stringContaining('older messages were left out'),
    ]);
    expect(intake.of('message.posted')).toHaveLength(32 * PAGE_LIMIT);
  });

  test('a place whose 600 members come at once is written down in pieces', async () => {
    const { clock, platform, intake, directory, startPoller } = pollingSetup();
    platform.openRoom('r1');
    for (let index = 0; index < 600; index += 1) platform.join('r1', `s${index}`);
    const sizes: number[] = [];
    const accept = intake.accept.bind(intake);
    intake.accept = (events) => {
      sizes.push(events.length);
      return accept(events);
    };
    startPoller();
    await clock.advance(10_000);
    expect(directory.members('r1')).toHaveLength(600);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  });
});

test('a history that is read backwards holds only so many pages at a time', async () => {
  const size = 100 * PAGE_LIMIT;
  const ids = Array.from({ length: size }, (_, n) => String(n).padStart(6, '0'));
  const pages: WeakRef<object>[] = [];
  const fetch = async ({ after = '', before = '~' }: { after?: string; before?: string }) => {
    const range = ids.filter((id) => id > after && id < before).slice(-PAGE_LIMIT);
    const messages = range.map((messageId) => ({ messageId }));
    pages.push(new WeakRef(messages));
    return { messages: messages as never, hasMoreBefore: true, hasMoreAfter: false };
  };
  const read: string[] = [];
  let held: number | undefined;
  for await (const page of messagePages(fetch, { after: '000000' })) {
    if (held === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      heapInUse();
      held = pages.filter((one) => one.deref() !== undefined).length;
    }
    read.push(...page.map(({ messageId }) => messageId));
  }
  expect(read).toEqual(ids.slice(1));
  expect(held).toBeLessThan(40);
});
