import { describe, expect, test } from 'vitest';
import { finalize, map } from 'rxjs';
import type { StreamLive } from '../../src/domain/event.ts';
import { withId } from '../../src/domain/event-id.ts';
import { hideMessage, muteMember, reply, writeLog } from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { ends, joined, opened, publishes, room, ROOM, says } from './facts.ts';
import { stage, told } from './stage.ts';

const noBadWords = rule('no-bad-words', ['message.posted'], (event) =>
  event.type === 'message.posted' && event.text.includes('bad')
    ? [hideMessage(event), reply(event, 'no')]
    : [],
);

describe('the engine', () => {
  test('an event becomes actions once, and its duplicate nothing', async () => {
    const { feed, decided, intents, engine } = await stage([bot([bind(noBadWords)])]);
    await feed(opened(), joined('ann'), says('ann', 'bad'), says('ann', 'bad'), says('ann', 'good', 1));
    expect(told(decided)).toEqual([
      'message.hide by no-bad-words → open',
      'message.send by no-bad-words → open',
    ]);
    expect(intents).toEqual(decided);
    expect(engine.stats()).toMatchObject({ undone: 0, places: 1 });
  });

  test('a muted member’s further messages are hidden, also after a restart', async () => {
    const muter = rule('muter', ['message.posted'], (event) =>
      event.type === 'message.posted' && event.text === 'x'
        ? [muteMember(event.author, { forMs: 60_000, because: event })]
        : [],
    );
    const first = await stage([bot([bind(muter)])]);
    await first.feed(opened(), says('ann', 'x'), says('ann', 'y', 1_000));
    expect(told(first.decided)).toEqual([
      'member.mute by muter → performed',
      'message.hide by house/mute → open',
    ]);
    const second = await first.restart();
    await second.feed(says('ann', 'z', 2_000), says('bob', 'z', 2_000), says('ann', 'late', 60_001));
    expect(told(second.decided)).toEqual(['message.hide by house/mute → open']);
  });

  test('the directory shows what is known of a place', async () => {
    const { feed, engine } = await stage([]);
    await feed(opened(), joined('ann'), publishes('ann', 's1', 5), says('ann', 'hi', 6));
    const view = engine.directory.view(ROOM);
    expect(view?.publishers().map(({ key, screenName }) => [key, screenName])).toEqual([
      ['session:ann', 'ann'],
    ]);
    expect(engine.directory.lastMessageId(ROOM)).toBe('m-ann-6-hi');
    expect(engine.directory.places()).toMatchObject([{ id: 'r1', alias: 'alias-r1' }]);
  });

  test('the event that tells the alias of a room is for the rules of that alias', async () => {
    const scope = { covers: ({ alias }: { readonly alias: string }) => alias === 'alias-r1' };
    const greet = rule('greet', ['room.opened'], (event) => [writeLog('opened', { because: event })]);
    const { feed, decided } = await stage([bot([bind(greet, { scope })])]);
    await feed(opened(), opened(room('r2')));
    expect(decided.map(({ lane }) => lane)).toEqual(['room:r1']);
  });

  test('a playlist, whose notification names no place, is told where its stream is', async () => {
    const { tags: _, place: __, ...published } = publishes('ann', 's1', 1);
    const live = (streamId: string, sessionId = 'ann'): StreamLive =>
      withId<StreamLive>({
        ...published,
        streamId,
        sessionId,
        type: 'stream.live',
        tags: [],
        uri: 'u',
        isPrimary: true,
      });
    const note = rule('note', ['stream.live'], (event) => [writeLog('live', { because: event })]);
    const { feed, decided, engine } = await stage([bot([bind(note)])]);
    const seen: (string | undefined)[] = [];
    engine.bus.of('stream.live').subscribe(({ place }) => void seen.push(place?.id));
    await feed(opened(), publishes('ann', 's1', 1), live('s1'), live('nobody knows', 'stranger'));
    expect(seen).toEqual([ROOM.id, undefined]);
    expect(decided.map(({ lane }) => lane)).toEqual(['room:r1']);
  });

  test('a subscriber of the bus that throws harms nobody, and is told', async () => {
    const { engine, feed, logged } = await stage([]);
    const seen: string[] = [];
    engine.bus.of('message.posted').subscribe(() => {
      throw new Error('a bad subscriber');
    });
    engine.bus.events$.pipe(map(({ id }) => id.slice(0, 4))).subscribe((id) => void seen.push(id));
    await feed(opened(), says('ann', 'a', 1), says('ann', 'b', 2));
    expect(seen).toEqual(['room', 'mess', 'mess']);
    expect(logged.filter(({ data }) => JSON.stringify(data).includes('a bad subscriber'))).toHaveLength(2);
  });

  test('a subscriber of the bus that throws while it ends harms nobody either, and is told', async () => {
    const answering = rule('answering', ['message.posted'], (event) =>
      event.type === 'message.posted' ? [reply(event, 'y')] : [],
    );
    const { engine, feed, logged, intents } = await stage([bot([bind(answering)])]);
    const torn = () =>
      finalize<string>(() => {
        throw new Error('torn');
      });
    const broken = (): string => {
      throw new Error('a bad subscriber');
    };
    engine.bus.events$.pipe(map(broken), torn()).subscribe();
    engine.bus.decisions$.pipe(map(broken), torn()).subscribe();
    await feed(opened(), says('ann', 'a', 1), says('ann', 'b', 2));
    expect(intents).toHaveLength(2);
    expect(engine.stats().undone).toBe(0);
    expect(
      logged
        .filter(({ message }) => message.includes('threw while it ended'))
        .map(({ data }) => ({ ...data, error: '' })),
    ).toEqual([
      { bus: 'events', error: '' },
      { bus: 'decisions', error: '' },
    ]);
  });

  test('outcomes of the decision itself and of the outbox come out of the bus alike', async () => {
    const both = rule('both', ['message.posted'], (event) =>
      event.type === 'message.posted' ? [writeLog('x', { because: event }), reply(event, 'y')] : [],
    );
    const one = await stage([bot([bind(both)])]);
    const outcomes: string[] = [];
    one.engine.bus.outcomes$.subscribe(
      ({ actionType, outcome }) => void outcomes.push(`${actionType} ${outcome}`),
    );
    await one.feed(opened(), says('ann', 'a', 1));
    await one.settle(one.decided[1]!.action, 'failed');
    expect(outcomes).toEqual(['log.write performed', 'message.send failed']);
    expect(one.logged).toMatchObject([{ message: 'x', data: { rule: 'both' } }]);
  });

  test('lanes that nothing needs leave memory, and come back with what they knew', async () => {
    const one = await stage([bot([bind(noBadWords)])]);
    await one.feed(opened(), says('ann', 'x', 1, { place: room('r9') }), ends('s9', 1, { tags: [] }));
    expect(one.engine.stats().lanes).toBe(3);
    await one.clock.advance(600_001);
    expect(one.engine.stats().lanes).toBe(1);
    await one.feed(says('ann', 'bad', 2, { place: room('r9') }));
    expect(one.engine.directory.view(room('r9'))?.messages).toHaveLength(2);
    expect(one.decided).toHaveLength(2);
  });
});
