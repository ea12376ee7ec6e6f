import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/egress/job.ts';
import { gather, lineKey, nextJob, type Line } from '../../src/egress/line.ts';
import { action } from './actions.ts';

const job = (id: string, about: string, more: Partial<Job> & { room?: number } = {}): Job => {
  let room = more.room ?? 0;
  return {
    members: [{ action: action('message.hide', id), lane: 'room:a' }],
    deed: {
      repeatable: true,
      about,
      freshForMs: 1,
      asksPlatform: true,
      call: () => Promise.reject(new Error('not called here')),
      join: () => (room -= 1) >= 0,
    },
    staleAtMs: 1,
    state: 'ready',
    attempts: 0,
    failures: 0,
    doubt: undefined,
    settlement: undefined,
    dueAtMs: 0,
    cancelWait: undefined,
    ...more,
  };
};
const line = (...jobs: Job[]): Line => ({ key: 'room:a', jobs, running: false });
const ids = (of: Job | undefined) => of?.members.map(({ action: { id } }) => id);

describe('whose turn it is', () => {
  const waiting = { state: 'waiting' } as const;
  const table: readonly [string, Job[], string[] | undefined][] = [
    ['the first', [job('a', 'chat'), job('b', 'chat')], ['a']],
    ['nobody while the first waits', [job('a', 'chat', waiting), job('b', 'chat')], undefined],
    ['one about something else', [job('a', 'chat', waiting), job('b', 'chat'), job('c', 'marks')], ['c']],
    ['nobody in an empty line', [], undefined],
  ];
  test.each(table)('%s', (_, jobs, expected) => {
    expect(ids(nextJob(line(...jobs), () => true))).toEqual(expected);
  });

  test('one that may not run holds up what is about the same', () => {
    const jobs = [job('a', 'chat'), job('b', 'chat'), job('c', 'marks')];
    expect(ids(nextJob(line(...jobs), (one) => one !== jobs[0]))).toEqual(['c']);
  });
});

describe('gathering', () => {
  test('takes untried jobs in order while there is room, and leaves the others where they are', () => {
    const first = job('a', 'marks', { room: 2 });
    const others = [
      job('b', 'marks', { attempts: 1 }),
      job('c', 'marks'),
      job('d', 'marks'),
      job('e', 'marks'),
    ];
    const all = line(first, ...others);
    gather(all, first);
    expect(ids(first)).toEqual(['a', 'c', 'd']);
    expect(all.jobs.map(ids)).toEqual([['a', 'c', 'd'], ['b'], ['e']]);
  });

  test('adds nothing to a job that was sent before', () => {
    const first = job('a', 'marks', { room: 2, attempts: 1 });
    const all = line(first, job('b', 'marks'));
    gather(all, first);
    expect(all.jobs).toHaveLength(2);
  });
});

test('notices have lines of their own, everything else goes by lane', () => {
  expect(lineKey(action('notify.send'), 'room:a')).toBe('notify:house:mods');
  expect(lineKey(action('stream.terminate'), 'stream:x')).toBe('stream:x');
});
