import { describe, expect, test } from 'vitest';
import { evening, type Evening } from './evening.ts';

const MINUTE = 60_000;

const HOUSE = `
version: 1
bot: house
as: {screenName: House, role: Moderator}
clients: cooperating
defaults: {mode: enforce}
lists: {slurs: {terms: [grobnik]}}
strikes: {chat: {per: member, ladder: [{at: 1, do: [{reply: "{{member.name}}: strike {{strikes}}"}]}]}}
rules:
  - {id: slurs, when: message, if: {text: {list: slurs}}, then: [hide, {strike: {ladder: chat, points: 1, reason: rude}}]}
  - {id: flood, when: message, if: {rate: {count: 6, within: 10s}}, then: [{reply: "{{member.name}}: too fast"}, {mute: 10m}]}
  - {id: hls, use: auto-transcode, grants: [transcoding.start, transcoding.stop]}
  - {id: pip, use: pip-composition, with: {startAfter: 1s, stopAfter: 5s}, grants: [composition.start, composition.update, composition.stop]}
`;

/** A room with people in it, and a daemon that has been beside them for a minute. */
async function began(house = HOUSE) {
  const one = evening(house);
  const { roomId } = one.people.createRoom({ alias: 'studio' });
  const join = (screenName: string): string => one.people.join({ roomId, screenName }).sessionId;
  const say = (sessionId: string, message: string): void =>
    void one.people.say({ roomId, sessionId, message });
  const [ann, bob] = [join('Ann'), join('Bob')];
  one.start();
  await one.run(MINUTE);
  say(ann, 'good evening');
  await one.run(MINUTE);
  return { one, roomId, join, say, ann, bob };
}

const texts = (one: Evening): readonly string[] =>
  one.journal('message.posted').flatMap(({ own, text }) => (own ? [] : [text]));
const started = (one: Evening): readonly unknown[] =>
  one.done.flatMap(({ operation, status, body }) =>
    operation === 'createTranscoding' && status === 200
      ? [(body['transcoding'] as { readonly originStreamId: string }).originStreamId] // as the interface has it
      : [],
  );
const names = (one: Evening, roomId: string): readonly string[] =>
  [...(one.ring().engine.directory.view({ kind: 'room', id: roomId })?.members.values() ?? [])]
    .map(({ screenName }) => screenName)
    .toSorted();

describe.each([
  ['10 s', 10_000],
  ['10 min', 10 * MINUTE],
  ['2 h', 120 * MINUTE],
])('a daemon that was down for %s', (_, downMs) => {
  test('hears all that was said, in order and once, and takes a long talk for no flood', async () => {
    const { one, say, ann, roomId } = await began();
    one.kill();
    // More than three pages, a message each two seconds at the most.
    const apartMs = Math.max(2_000, downMs / 500);
    const count = Math.floor(downMs / apartMs);
    const said = Array.from({ length: count }, (_unused, index) => `line ${index}`);
    for (const line of said) {
      say(ann, line);
      await one.run(apartMs);
    }
    one.start();
    await one.run(MINUTE);
    expect(texts(one)).toEqual(['good evening', ...said]);
    expect(one.said(roomId).filter((text) => text.includes('too fast'))).toEqual([]);
    expect(one.fed).toEqual([]);
  });

  test('sees a flood for what it was, by its own time, and punishes none that is old', async () => {
    const { one, roomId, say, ann, bob } = await began();
    one.kill();
    for (let index = 0; index < 8; index += 1) say(ann, `then ${index}`);
    await one.run(downMs);
    for (let index = 0; index < 8; index += 1) say(bob, `now ${index}`);
    one.start();
    await one.run(MINUTE);
    say(ann, 'still here');
    say(bob, 'me too');
    await one.run(MINUTE);
    const old = downMs > 5 * MINUTE;
    expect(one.hidden(roomId).filter((text) => text === 'still here')).toEqual(old ? [] : ['still here']);
    expect(one.hidden(roomId)).toContain('me too');
    const told = one.said(roomId).filter((text) => text.includes('too fast'));
    expect(new Set(told)).toEqual(new Set(old ? ['Bob: too fast'] : ['Ann: too fast', 'Bob: too fast']));
  });

  test('hides what was rude, and punishes only what is young', async () => {
    const { one, roomId, say, ann, bob } = await began();
    one.kill();
    say(ann, 'a grobnik, all of you');
    await one.run(downMs);
    say(bob, 'grobnik');
    one.start();
    await one.run(MINUTE);
    expect(one.hidden(roomId)).toEqual(['a grobnik, all of you', 'grobnik']);
    const strikes = one.said(roomId).filter((text) => text.includes('strike'));
    expect(strikes).toEqual(downMs > 5 * MINUTE ? ['Bob: strike 1'] : ['Ann: strike 1', 'Bob: strike 1']);
  });

  test('knows who is there, keeps a transcoding for each stream that lives and none besides', async () => {
    const { one, roomId, join, ann, bob } = await began();
    const before = one.people.publish({ roomId, sessionId: ann }).streamId;
    await one.run(MINUTE);
    expect(started(one)).toEqual([before]);
    one.kill();
    one.people.end({ streamId: before });
    const again = one.people.publish({ roomId, sessionId: ann }).streamId;
    const passing = join('Passing');
    const gone = one.people.publish({ roomId, sessionId: passing }).streamId;
    await one.run(downMs);
    one.people.leave({ roomId, sessionId: passing });
    one.people.leave({ roomId, sessionId: bob });
    const carol = join('Carol');
    const second = one.people.publish({ roomId, sessionId: carol }).streamId;
    one.start();
    await one.run(2 * MINUTE);
    expect(names(one, roomId)).toEqual(['Ann', 'Carol']);
    expect(started(one)).toHaveLength(3);
    expect(new Set(started(one))).toEqual(new Set([before, again, second]));
    expect(started(one)).not.toContain(gone);
    const live = new Set([again, second]);
    expect(
      [...one.world.transcodings.values()]
        .filter(({ deleted }) => !deleted)
        .map(({ origin }) => origin.streamId),
    ).toEqual(expect.arrayContaining([...live]));
    expect(
      [...one.world.compositions.values()].map(
        ({ inputs }) => new Set(inputs.map(({ streamId }) => streamId)),
      ),
    ).toEqual([live]);
  });

  test('tells of a purge as a gap that people see, and hears what was said since', async () => {
    const { one, roomId, say, ann } = await began();
    one.kill();
    say(ann, 'never heard');
    one.world.rooms.get(roomId)?.messages.splice(0);
    say(ann, 'after it');
    await one.run(downMs);
    one.start();
    await one.run(MINUTE);
    expect(texts(one)).toEqual(['good evening', 'after it']);
    expect(one.journal('place.gap').map(({ reason }) => reason)).toEqual([expect.stringContaining('purged')]);
    expect(one.fed).toHaveLength(1);
    expect(one.logged.filter((line) => line.includes('missed'))).toHaveLength(1);
  });

  test('takes a room under an old alias for the new room that it is', async () => {
    const { one, roomId, ann, say } = await began();
    const old = one.people.publish({ roomId, sessionId: ann }).streamId;
    say(ann, 'grobnik');
    await one.run(MINUTE);
    one.kill();
    const place = one.world.rooms.get(roomId);
    if (!place) throw new Error('The room is there.');
    one.people.end({ streamId: old });
    one.world.rooms.remove(place);
    const next = one.people.createRoom({ alias: 'studio' });
    const eve = one.people.join({ roomId: next.roomId, screenName: 'Ann' }).sessionId;
    const stream = one.people.publish({ roomId: next.roomId, sessionId: eve }).streamId;
    await one.run(downMs);
    one.start();
    await one.run(2 * MINUTE);
    one.people.say({ roomId: next.roomId, sessionId: eve, message: 'grobnik' });
    await one.run(MINUTE);
    expect(one.journal('room.opened').map(({ place: { id } }) => id)).toEqual([roomId, next.roomId]);
    expect(one.journal('room.closed').map(({ place: { id } }) => id)).toEqual([roomId]);
    expect(started(one)).toEqual([old, stream]);
    // Whoever has the name there now begins at the beginning.
    expect(one.said(next.roomId).filter((text) => text.includes('strike'))).toEqual(['Ann: strike 1']);
  });
});

describe.each([
  ['back by 3 h', -180 * MINUTE],
  ['ahead by 3 h', 180 * MINUTE],
  ['back by a minute', -MINUTE],
])('a clock that is set %s while the daemon runs', (_, byMs) => {
  test('stops nothing: people are heard, streams are kept, who leaves is gone', async () => {
    const { one, roomId, join, say, ann, bob } = await began();
    one.setClock(byMs);
    await one.run(MINUTE);
    const stream = one.people.publish({ roomId, sessionId: ann }).streamId;
    const carol = join('Carol');
    one.people.publish({ roomId, sessionId: carol });
    one.people.leave({ roomId, sessionId: bob });
    say(ann, 'a grobnik, all of you');
    await one.run(2 * MINUTE);
    expect(one.hidden(roomId)).toEqual(['a grobnik, all of you']);
    expect(one.said(roomId).filter((text) => text.includes('strike'))).toEqual(['Ann: strike 1']);
    expect(names(one, roomId)).toEqual(['Ann', 'Carol']);
    expect(started(one)).toHaveLength(2);
    const running = () => [...one.world.compositions.values()].filter(({ deleted }) => !deleted).length;
    expect(running()).toBe(1);
    // A grace of five seconds is one, whatever the clock shows.
    one.people.end({ streamId: stream });
    await one.run(MINUTE);
    expect(running()).toBe(0);
  });

  test('makes nothing of the time before it twice, nor after a restart', async () => {
    const { one, roomId, say, ann } = await began();
    say(ann, 'a grobnik');
    await one.run(MINUTE);
    one.setClock(byMs);
    await one.run(MINUTE);
    one.kill();
    one.start();
    await one.run(2 * MINUTE);
    expect(one.said(roomId).filter((text) => text.includes('strike'))).toEqual(['Ann: strike 1']);
    say(ann, 'another grobnik');
    await one.run(MINUTE);
    expect(one.said(roomId).filter((text) => text.includes('strike'))).toEqual([
      'Ann: strike 1',
      'Ann: strike 2',
    ]);
    expect(texts(one)).toEqual(['good evening', 'a grobnik', 'another grobnik']);
  });
});

describe('a schedule that came due while the daemon was down', () => {
  const CLOCK = `
version: 1
bot: house
as: {screenName: House, role: Moderator}
defaults: {mode: enforce}
rules:
  - {id: often, when: {every: 5m}, then: [{announce: "often"}]}
  - {id: seldom, when: {schedule: "10,50 12 * * *"}, then: [{announce: "seldom"}]}
`;
  test('runs once, however often it was missed, and goes on in its rhythm', async () => {
    const { one, roomId } = await began(CLOCK);
    await one.run(4 * MINUTE);
    expect(one.said(roomId).filter((text) => text === 'often')).toHaveLength(1);
    one.kill();
    await one.run(31 * MINUTE);
    one.start();
    await one.run(MINUTE);
    expect(one.said(roomId).filter((text) => text === 'often')).toHaveLength(2);
    // It has never run in this room: it does not make up for what was before its time.
    expect(one.said(roomId)).not.toContain('seldom');
    await one.run(13 * MINUTE);
    expect(one.said(roomId).filter((text) => text === 'seldom')).toHaveLength(1);
    expect(one.said(roomId).filter((text) => text === 'often')).toHaveLength(5);
  });
});
