import { expect, test } from 'vitest';
import { SandboxClock } from '../../src/sandbox/clock.ts';
import { Ids } from '../../src/sandbox/ids.ts';
import { seededRandom } from '../../src/sandbox/random.ts';
import { stage } from './harness.ts';

const ids = (seed: string) => new Ids(new SandboxClock('virtual', Date.UTC(2021, 3, 8)), seededRandom(seed));

test('ids have the documented look', () => {
  const mint = ids('a');
  expect(mint.stream()).toMatch(/^us-northeast#US-ASHBURN-AD-1\.\w{8}\.20210408\.\w{8}$/);
  expect(mint.place('demo', 'main-stage 2')).toMatch(/^us-northeast#demo#mainStage2\.\w{12}$/);
  expect(mint.place('demo', '!!')).toMatch(/^us-northeast#demo#place\.\w{12}$/);
  expect(mint.session()).toMatch(/^us-northeast#\w{22}$/);
});

test('the counter of messages begins again', () => {
  const mint = ids('a');
  expect(mint.message('r.x', 999_999)).toBe('US-ASHBURN-AD-1.x|1617840000000|999999');
  expect(mint.message('r.x', 1_000_000)).toBe('US-ASHBURN-AD-1.x|1617840000000|000000');
});

test('the seed decides, and 100,000 ids are all different', () => {
  expect(ids('a').stream()).toBe(ids('a').stream());
  expect(ids('a').stream()).not.toBe(ids('b').stream());
  const mint = ids('c');
  expect(new Set(Array.from({ length: 100_000 }, () => mint.text(8))).size).toBe(100_000);
});

test('two sandboxes with one seed live the same life, and so does one after a reset', async () => {
  const life = async (on: Awaited<ReturnType<typeof stage>>) => {
    const { roomId } = on.sandbox.createRoom({ alias: 'a' });
    const { streamId, sessionId } = on.sandbox.publish({ roomId });
    on.sandbox.failNext({ operation: 'getRoom', status: 503, probability: 0.5 });
    const chances = [];
    for (let i = 0; i < 20; i++) chances.push((await on.call('GET', '/room/x')).http);
    return { roomId, streamId, sessionId, chances };
  };
  const [one, two, other] = [await stage({ seed: 7 }), await stage({ seed: 7 }), await stage({ seed: 8 })];
  const first = await life(one);
  expect(await life(two)).toEqual(first);
  expect(await life(other)).not.toEqual(first);
  one.sandbox.reset();
  expect(await life(one)).toEqual(first);
});
