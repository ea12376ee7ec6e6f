import { describe, expect, test } from 'vitest';
import { withId } from '../../src/domain/event-id.ts';
import type { StreamStarted } from '../../src/domain/event.ts';
import { StoreError } from '../../src/errors.ts';
import { RateLimitedError, ServerError } from '../../src/platform/index.ts';
import { streamAt } from './fake-platform.ts';
import { pollingSetup } from './polling-setup.ts';

const evidence = { operation: 'listMessages', attempts: 1, outcome: 'nothing' } as const;
const texts = (events: readonly { readonly text: string }[]) => events.map(({ text }) => text);

describe('places', () => {
  test('what is open at the start is reconciled, what opens later is found by a poll', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    platform.openRoom('r2', 'TownHall');
    platform.channels.set('c1', { channelId: 'c1', members: [] });
    const poller = startPoller();
    expect(poller.readiness.reason()).toContain('Not read yet');
    await clock.advance(5_000);
    expect(poller.readiness.reason()).toBeUndefined();
    platform.openRoom('r3', 'DirectChat');
    await clock.advance(17_000);
    expect(
      intake
        .of('room.opened')
        .map(({ place, source }) => `${place.id} ${source}`)
        .toSorted(),
    ).toEqual(['r1 reconcile', 'r2 reconcile', 'r3 poll']);
    expect(intake.of('room.opened').find(({ place }) => place.id === 'r2')?.facts).toEqual({
      kind: 'room',
      id: 'r2',
      alias: 'the-r2',
      name: 'r2',
      type: 'TownHall',
    });
    expect(intake.of('channel.opened').map(({ place }) => place)).toEqual([{ kind: 'channel', id: 'c1' }]);
  });

  test('a room that a list left out and that is not found is closed, and polled no more', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(20_000);
    platform.rooms.delete('r1');
    await clock.advance(20_000);
    expect(intake.of('room.closed').map(({ place }) => place.id)).toEqual(['r1']);
    expect(poller.stats().places).toBe(0);
    platform.requests.length = 0;
    await clock.advance(60_000);
    expect(platform.requests.filter((request) => request.includes('r1'))).toEqual([]);
  });

  test('a room that one list forgot stays open', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    startPoller();
    await clock.advance(20_000);
    platform.hidden.add('r1');
    await clock.advance(15_500);
    platform.hidden.delete('r1');
    await clock.advance(60_000);
    expect(intake.of('room.closed')).toEqual([]);
  });

  test('a list that failed closes nothing', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    startPoller();
    await clock.advance(20_000);
    platform.fault = (request) =>
      request.startsWith('listRooms') ? new ServerError({ ...evidence, httpStatus: 502 }) : undefined;
    await clock.advance(120_000);
    expect(intake.of('room.closed')).toEqual([]);
  });

  test('a room that closed while we were away is closed at the start', async () => {
    const { clock, platform, directory, intake, startPoller } = pollingSetup();
    directory.fold({
      type: 'room.opened',
      id: 'room.opened r0',
      at: 0,
      seenAt: 0,
      source: 'poll',
      place: { kind: 'room', id: 'r0' },
      facts: { kind: 'room', id: 'r0', alias: '', name: 'r0', type: 'MultiPartyChat' },
    });
    platform.openRoom('r1');
    startPoller();
    await clock.advance(40_000);
    expect(intake.of('room.closed').map(({ place }) => place.id)).toEqual(['r0']);
  });
});

describe('messages', () => {
  test('a room seen for the first time gives its newest messages, none older than the catch-up time', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup({ settings: { catchUpMs: 60_000 } });
    platform.openRoom('r1');
    platform.say('r1', 'old', { timestamp: clock.now() - 61_000 });
    platform.say('r1', 'recent', { timestamp: clock.now() - 50_000 });
    startPoller();
    await clock.advance(5_000);
    platform.say('r1', 'now');
    await clock.advance(16_000);
    const posted = intake.of('message.posted');
    expect(posted.map(({ text, source }) => `${text} ${source}`)).toEqual(['recent reconcile', 'now poll']);
    expect(posted[1]).toMatchObject({
      place: { kind: 'room', id: 'r1' },
      author: {
        key: 'session:s1',
        sessionId: 's1',
        screenName: 'Ann',
        standing: 'claimed',
        claimedRole: 'Moderator',
      },
    });
    expect(posted[1]?.author).not.toHaveProperty('role');
  });

  test.each(['oldest', 'newest'] as const)(
    'a flood of many pages is read on at once, in order, when a full page shows the %s',
    async (pageEnd) => {
      const { clock, platform, intake, startPoller } = pollingSetup();
      platform.openRoom('r1');
      platform.pageEnd = pageEnd;
      platform.say('r1', 'first');
      startPoller();
      await clock.advance(5_000);
      const flood = Array.from({ length: 700 }, (_, index) => `m${index}`);
      for (const text of flood) platform.say('r1', text);
      await clock.advance(18_000);
      expect(texts(intake.of('message.posted'))).toEqual(['first', ...flood]);
      expect(new Set(platform.requests.filter((request) => request.includes('after='))).size).toBeGreaterThan(
        5,
      );
    },
  );

  test('a flood in a room that was empty is read back to its beginning', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    startPoller();
    await clock.advance(5_000);
    const flood = Array.from({ length: 300 }, (_, index) => `m${index}`);
    for (const text of flood) platform.say('r1', text);
    await clock.advance(16_000);
    expect(texts(intake.of('message.posted'))).toEqual(flood);
  });

  test('after a restart reading goes on where the lane stood, as reconciliation', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const first = startPoller();
    platform.say('r1', 'a');
    await clock.advance(5_000);
    await first.stop();
    for (let index = 0; index < 200; index += 1) platform.say('r1', `away ${index}`);
    await clock.advance(3_600_000);
    startPoller();
    await clock.advance(5_000);
    const posted = intake.of('message.posted');
    expect(posted).toHaveLength(201);
    expect(new Set(posted.slice(1).map(({ source }) => source))).toEqual(new Set(['reconcile']));
  });

  test('a purge is a gap, and what is said after it is heard', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    const room = platform.openRoom('r1');
    platform.say('r1', 'before');
    startPoller();
    await clock.advance(20_000);
    room.messages = [];
    await clock.advance(40_000);
    expect(intake.of('place.gap').map(({ place }) => place.id)).toEqual(['r1']);
    platform.say('r1', 'after');
    await clock.advance(20_000);
    expect(texts(intake.of('message.posted'))).toEqual(['before', 'after']);
    await clock.advance(300_000);
    expect(intake.of('place.gap')).toHaveLength(1);
  });

  test('ids that rolled over are a gap, and reading begins again at the newest page', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    const room = platform.openRoom('r1');
    platform.say('r1', 'last', { messageId: 'us#1|r1|99999999' });
    startPoller();
    await clock.advance(20_000);
    room.messages = [];
    platform.say('r1', 'rolled', { messageId: 'us#1|r1|00000001' });
    room.messages.unshift({ ...room.messages[0]!, messageId: 'us#1|r1|00000000', message: 'over' });
    await clock.advance(400_000);
    expect(intake.of('place.gap')).toHaveLength(1);
    expect(texts(intake.of('message.posted'))).toEqual(['last', 'over', 'rolled']);
  });

  test('deleted messages are passed over, our own are marked', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    startPoller();
    await clock.advance(5_000);
    platform.say('r1', 'gone', { deletedTimestamp: clock.now() });
    platform.say('r1', 'ours', { tags: ['bot:house', 'op:abcdefghij-_0123'] });
    await clock.advance(16_000);
    expect(intake.of('message.posted').map(({ text, own, causedBy }) => [text, own, causedBy])).toEqual([
      ['ours', true, 'abcdefghij-_0123'],
    ]);
  });

  test('what could not be written down is read again', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(5_000);
    intake.fail = new StoreError('disk full');
    platform.say('r1', 'a');
    await clock.advance(30_000);
    expect(poller.readiness.reason()).toContain('disk full');
    intake.fail = undefined;
    await clock.advance(60_000);
    expect(texts(intake.of('message.posted'))).toEqual(['a']);
    expect(poller.readiness.reason()).toBeUndefined();
    expect(intake.of('source.degraded')).toEqual([]);
  });

  test('what was gone before it could be written down is not told for ever', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    const room = platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(5_000);
    intake.fail = new StoreError('disk full');
    platform.join('r1', 'ann');
    await clock.advance(30_000);
    expect(poller.readiness.reason()).toContain('disk full');
    room.members = [];
    intake.fail = undefined;
    await clock.advance(60_000);
    expect(intake.of('member.joined')).toEqual([]);
    expect(poller.readiness.reason()).toBeUndefined();
  });
});

describe('members and streams', () => {
  test('joining, changing and leaving are told once', async () => {
    const { clock, platform, directory, intake, startPoller } = pollingSetup();
    const room = platform.openRoom('r1');
    startPoller();
    await clock.advance(5_000);
    platform.join('r1', 'ann');
    await clock.advance(31_000);
    platform.change('r1', 'ann', { state: 'HandRaised', role: 'Presenter' });
    await clock.advance(31_000);
    expect(directory.members('r1')).toMatchObject([
      { sessionId: 'ann', state: 'HandRaised', role: 'Presenter' },
    ]);
    room.members = [];
    await clock.advance(90_000);
    expect(
      intake.events
        .filter(({ type }) => type.startsWith('member.'))
        .map(({ type, source }) => `${type} ${source}`),
    ).toEqual(['member.joined poll', 'member.changed poll', 'member.left poll']);
    expect(intake.of('member.changed')[0]?.changes).toEqual({
      role: { from: 'Participant', to: 'Presenter' },
      state: { from: 'Active', to: 'HandRaised' },
    });
  });

  test('a member that a list forgot for a moment is known again, although nothing about it moved', async () => {
    const { clock, platform, directory, intake, startPoller } = pollingSetup();
    const room = platform.openRoom('r1');
    platform.join('r1', 'ann');
    startPoller();
    await clock.advance(5_000);
    const { members } = room;
    room.members = [];
    await clock.advance(31_000);
    expect(intake.of('member.left')).toHaveLength(1);
    room.members = members;
    await clock.advance(62_000);
    expect(directory.members('r1')).toHaveLength(1);
    await clock.advance(300_000);
    expect(intake.of('member.joined')).toHaveLength(2);
  });

  test('a stream that no notification told of is started and ended by polls, with the ids of the notifications', async () => {
    const { clock, platform, intake, counted, startPoller } = pollingSetup();
    platform.openRoom('r1');
    startPoller();
    await clock.advance(5_000);
    platform.join('r1', 'ann', { streams: [streamAt('us#s.1')] });
    await clock.advance(40_000);
    platform.change('r1', 'ann', { streams: [] });
    await clock.advance(40_000);
    expect(intake.events.filter(({ type }) => type.startsWith('stream.'))).toMatchObject([
      {
        id: 'stream.started us#s.1',
        source: 'poll',
        sessionId: 'ann',
        tags: ['roomId:r1', 'roomAlias:the-r1'],
        place: { kind: 'room', id: 'r1' },
      },
      { id: 'stream.ended us#s.1', source: 'poll', sessionId: 'ann', durationMs: null, reason: null },
    ]);
    expect(counted.of('notification.foundByPollOnly')).toBe(1);
    await clock.advance(60_000);
    expect(counted.of('notification.foundByPollOnly')).toBe(2);
  });

  test('streams that live at the start are told at once and count as no loss', async () => {
    const { clock, platform, intake, counted, startPoller } = pollingSetup();
    platform.openRoom('r1');
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    startPoller();
    await clock.advance(2_000);
    expect(intake.of('stream.started').map(({ source }) => source)).toEqual(['reconcile']);
    await clock.advance(120_000);
    expect(counted.of('notification.foundByPollOnly')).toBe(0);
  });

  test('a notification gets a head start, and then the poll has nothing to tell', async () => {
    const { clock, platform, intake, counted, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(5_000);
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    poller.hint({ kind: 'room', id: 'r1' });
    await clock.advance(3_000);
    const event = withId<StreamStarted>({
      type: 'stream.started',
      at: clock.now(),
      seenAt: clock.now(),
      source: 'webhook',
      streamId: 's1',
      tags: ['roomId:r1', 'rendition:auto'],
    });
    await intake.accept([event]);
    poller.notified(event);
    await clock.advance(120_000);
    expect(intake.of('stream.started').map(({ source }) => source)).toEqual(['webhook']);
    expect(counted.of('notification.foundByPollOnly')).toBe(0);
  });

  test('a late notification is no lost one', async () => {
    const { clock, platform, intake, counted, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(5_000);
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    await clock.advance(40_000);
    poller.notified(intake.of('stream.started')[0]!);
    await clock.advance(120_000);
    expect(counted.of('notification.foundByPollOnly')).toBe(0);
  });

  test('what a notification announced while a poll was under way is not gone because that poll lacks it', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(40_000);
    platform.latencyMs = 4_000;
    poller.hint({ kind: 'room', id: 'r1' });
    await clock.advance(2_000);
    await intake.accept([
      withId<StreamStarted>({
        type: 'stream.started',
        at: clock.now(),
        seenAt: clock.now(),
        source: 'webhook',
        streamId: 's1',
        tags: ['roomId:r1'],
      }),
    ]);
    await clock.advance(3_000);
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    await clock.advance(60_000);
    expect(intake.of('stream.ended')).toEqual([]);
  });

  test('a stream missing from one poll is alive, whoever left', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    const room = platform.openRoom('r1');
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    const poller = startPoller();
    await clock.advance(10_000);
    const { members } = room;
    room.members = [];
    poller.hint({ kind: 'room', id: 'r1' });
    await clock.advance(2_500);
    room.members = members;
    await clock.advance(120_000);
    expect(intake.of('stream.ended')).toEqual([]);
  });

  test('a stream that ended and that a list still shows is not told of again and again', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    startPoller();
    await clock.advance(5_000);
    let accepted = 0;
    const accept = intake.accept.bind(intake);
    intake.accept = (events) => {
      accepted += events.length;
      return accept(events);
    };
    await intake.accept([
      {
        type: 'stream.ended',
        id: 'stream.ended s1',
        at: 0,
        seenAt: 0,
        source: 'webhook',
        streamId: 's1',
        tags: [],
        durationMs: 1,
        reason: '',
      },
    ]);
    await clock.advance(600_000);
    // The notification's own, and one attempt of a poll.
    expect(accepted).toBe(2);
  });

  test('tracks that are switched are told by stream', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('r1');
    platform.join('r1', 'ann', { streams: [streamAt('s1')] });
    startPoller();
    await clock.advance(5_000);
    platform.change('r1', 'ann', { streams: [streamAt('s1', { videoState: 'TrackDisabled' })] });
    await clock.advance(31_000);
    expect(intake.of('track.changed')).toMatchObject([
      { streamId: 's1', video: { from: 'TrackEnabled', to: 'TrackDisabled' } },
    ]);
    expect(intake.of('track.changed')[0]).not.toHaveProperty('audio');
  });

  test('publishers of channels are polled as well', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.channels.set('c1', {
      channelId: 'c1',
      members: [
        {
          sessionId: 'ann',
          screenName: 'Ann',
          role: 'Presenter',
          state: 'Active',
          streams: [streamAt('s1')],
          lastUpdate: clock.now(),
        },
      ],
    });
    startPoller();
    await clock.advance(20_000);
    expect(intake.of('stream.started')).toMatchObject([
      { place: { kind: 'channel', id: 'c1' }, tags: ['channelId:c1'] },
    ]);
    expect(platform.requests.some((request) => request.startsWith('listMessages'))).toBe(false);
  });
});

describe('hints', () => {
  test('a hinted place is polled at once, but not sooner than its least interval', async () => {
    const { clock, platform, startPoller } = pollingSetup({ perSecond: 2 });
    for (let index = 0; index < 40; index += 1) platform.openRoom(`r${index}`);
    const poller = startPoller();
    await clock.advance(300_000);
    platform.requests.length = 0;
    for (let index = 0; index < 10; index += 1) poller.hint({ kind: 'room', id: 'r7' });
    await clock.advance(2_500);
    expect(platform.requests.filter((request) => request.endsWith('Members r7'))).toHaveLength(1);
  });

  test('a hint for a place that nobody knows has the lists read', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    const poller = startPoller();
    await clock.advance(5_000);
    platform.openRoom('new', 'ModeratedChat');
    poller.hint({ kind: 'room', id: 'new' });
    await clock.advance(2_000);
    expect(intake.of('room.opened').map(({ place }) => place.id)).toEqual(['new']);
  });
});

describe('failures', () => {
  test('a place that fails is polled ever more rarely, and the others go on', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    platform.openRoom('bad');
    platform.openRoom('good');
    startPoller();
    await clock.advance(10_000);
    platform.fault = (request) =>
      request.includes(' bad') ? new ServerError({ ...evidence, httpStatus: 504 }) : undefined;
    platform.requests.length = 0;
    await clock.advance(300_000);
    const polls = (id: string) => platform.requests.filter((request) => request.includes(` ${id}`)).length;
    expect(polls('good')).toBeGreaterThan(5 * polls('bad'));
    expect(intake.of('source.degraded').map(({ name }) => name)).toEqual(['polling room:bad']);
    platform.fault = () => undefined;
    await clock.advance(120_000);
    expect(intake.of('source.recovered').map(({ name }) => name)).toEqual(['polling room:bad']);
  });

  test('a platform that answers nothing is one degraded source, told once, until it answers again', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    for (let index = 0; index < 20; index += 1) platform.openRoom(`r${index}`);
    const poller = startPoller();
    await clock.advance(10_000);
    platform.fault = () => new ServerError({ ...evidence, httpStatus: 502 });
    await clock.advance(300_000);
    expect(intake.of('source.degraded').map(({ name }) => name)).toEqual(['polling']);
    expect(poller.readiness.reason()).toContain('502');
    platform.fault = () => undefined;
    await clock.advance(120_000);
    expect(intake.of('source.recovered').map(({ name }) => name)).toEqual(['polling']);
    expect(poller.readiness.reason()).toBeUndefined();
    expect(poller.stats().planned).toBe(45);
  });

  test('a platform that limits us is asked less, and is not degraded', async () => {
    const { clock, platform, intake, startPoller } = pollingSetup();
    for (let index = 0; index < 50; index += 1) platform.openRoom(`r${index}`);
    let [second, inSecond, refused] = [0, 0, 0];
    platform.fault = () => {
      const now = Math.floor(clock.now() / 1000);
      [second, inSecond] = now === second ? [second, inSecond + 1] : [now, 1];
      if (inSecond <= 10) return undefined;
      refused += 1;
      return new RateLimitedError({ ...evidence, httpStatus: 504, rawStatus: 'rate-limited' });
    };
    startPoller();
    await clock.advance(600_000);
    expect(refused / platform.requests.length).toBeLessThan(0.05);
    expect(intake.of('source.degraded')).toEqual([]);
  });

  test('stopping ends what runs and starts nothing more', async () => {
    const { clock, platform, startPoller } = pollingSetup();
    platform.openRoom('r1');
    const poller = startPoller();
    await clock.advance(5_000);
    await poller.stop();
    platform.requests.length = 0;
    poller.hint({ kind: 'room', id: 'r1' });
    await clock.advance(60_000);
    expect(platform.requests).toEqual([]);
  });
});
