import { expect, test } from 'vitest';
import { createLostNotifications } from '../../src/ingress/lost-notifications.ts';
import { virtualClock } from './virtual-clock.ts';

test('what no notification told of in time is lost; what one did is not; one timer serves all', async () => {
  const clock = virtualClock();
  const lost: string[] = [];
  const watch = createLostNotifications({ clock, withinMs: 60_000, lost: (id) => lost.push(id) });
  watch.foundByPoll('a');
  await clock.advance(10_000);
  watch.foundByPoll('b');
  watch.foundByPoll('c');
  watch.notified('b');
  await clock.advance(50_000);
  expect(lost).toEqual(['a']);
  await clock.advance(10_000);
  expect(lost).toEqual(['a', 'c']);
  watch.foundByPoll('d');
  watch.stop();
  await clock.advance(120_000);
  expect(lost).toEqual(['a', 'c']);
});
