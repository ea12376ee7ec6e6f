import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { ActionType } from '../../src/domain/action.ts';
import { explore } from './explorer/explore.ts';
import type { Scope } from './explorer/history.ts';
import { parts } from './explorer/parts.ts';
import { plant, unplant, type Change } from './explorer/planted.ts';

const ONCE = ['message.send', 'room.purge', 'composition.start'] as const;
const REPEATABLE = [
  'message.hide',
  'stream.terminate',
  'transcoding.start',
  'transcoding.stop',
  'composition.update',
  'composition.stop',
  'member.ban',
  'notify.send',
] as const;
const WORDS: readonly ActionType[] = ['message.send', 'room.purge', 'notify.send'];
const HOURS_MS = 3 * 3_600_000;
const TIMEOUT_MS = 300_000;

/** More requests with any fate take minutes: for the long part of the tests. */
const more = process.env['USHER_EXPLORE'] === 'all' ? 1 : 0;

const page = readFileSync(new URL('../../docs/exactly-once.md', import.meta.url), 'utf8');
const EXPLORED = 30_000;
let histories = 0;
const found: string[] = [];
const explored = async (scope: Omit<Scope, 'parts'> & { readonly parts?: Scope['parts'] }) => {
  const result = await explore({ parts, ...scope });
  histories += result.histories;
  return result;
};
const NOTHING_WRONG = { lost: [], doubled: [], mistold: [], tooLate: [] };

afterAll(() => {
  unplant();
  console.log(`crash-point explorer: ${histories} histories\n${found.join('\n')}`);
});

describe('two faults at any step, and whatever becomes of requests', () => {
  test.each(ONCE)(
    '%s happens once',
    async (type) => {
      // A purge takes the way of a message but for how it is read back.
      const requests = (type === 'room.purge' ? 1 : 2) + more;
      const result = await explored({ type, faults: 2, requests, freezes: 'alone' });
      expect(result).toMatchObject(NOTHING_WRONG);
      expect(result.histories).toBeGreaterThan(400);
    },
    TIMEOUT_MS,
  );

  test.each(REPEATABLE)(
    '%s happens once in effect',
    async (type) => {
      const result = await explored({ type, faults: 2, requests: 1 + more, freezes: 'alone' });
      expect(result).toMatchObject(NOTHING_WRONG);
      expect(result.histories).toBeGreaterThan(100);
    },
    TIMEOUT_MS,
  );

  test(
    'composition.start happens once though nobody listened for minutes',
    async () => {
      const scope = { faults: 2, requests: 1 + more, freezes: 'alone', longDowns: true } as const;
      expect(await explored({ type: 'composition.start', ...scope })).toMatchObject(NOTHING_WRONG);
    },
    TIMEOUT_MS,
  );

  test.each([...ONCE, ...REPEATABLE])(
    '%s is done by a frozen process or by its successor, not by both',
    async (type) => {
      const scope = { faults: 1, requests: 1, freezes: 'succeeded' } as const;
      expect(await explored({ type, ...scope })).toMatchObject(NOTHING_WRONG);
    },
    TIMEOUT_MS,
  );
});

describe('a wall clock that is set at each mark and each start', () => {
  test.each([...ONCE, ...REPEATABLE])(
    'back by hours changes nothing for %s',
    async (type) => {
      const scope = { faults: 1, requests: 2, clockJumpMs: -HOURS_MS } as const;
      expect(await explored({ type, ...scope })).toMatchObject(NOTHING_WRONG);
    },
    TIMEOUT_MS,
  );

  test.each([...ONCE, ...REPEATABLE])(
    'ahead by hours doubles nothing of %s; words and notices of the last life are told as too late',
    async (type) => {
      const scope = { faults: 1, requests: 2, clockJumpMs: HOURS_MS } as const;
      const { tooLate, ...result } = await explored({ type, ...scope });
      expect(result).toMatchObject({ lost: [], doubled: [], mistold: [] });
      expect(tooLate.length > 0).toBe(WORDS.includes(type));
    },
    TIMEOUT_MS,
  );

  test.each(WORDS)('ahead by hours in one life changes nothing for %s', async (type) => {
    const scope = { faults: 0, requests: 3, clockJumpMs: HOURS_MS } as const;
    expect(await explored({ type, ...scope })).toMatchObject(NOTHING_WRONG);
  });
});

const LEDGER = 'src/egress/ledger.ts';
const PROTOCOL = 'src/egress/protocol.ts';
const GAVE_UP: Change = {
  file: PROTOCOL,
  piece: 'Math.max(job.doubt.provenFromMs, clock.monotonic() + graceMs - deadlineMs)',
  instead: 'job.doubt.provenFromMs',
};

interface Plant {
  readonly changes: readonly Change[];
  readonly scope: Omit<Scope, 'parts'>;
  readonly finds: 'lost' | 'doubled';
}

const plants: Readonly<Record<string, Plant>> = {
  'the mark': {
    changes: [
      {
        file: LEDGER,
        piece:
          'await Promise.all(members.map(({ action }) => actions.mark(action.id, attempt, clock.now())));',
        instead: 'void attempt;',
      },
    ],
    scope: { type: 'message.send', faults: 1, requests: 1 },
    finds: 'doubled',
  },
  'the check for a frozen process': {
    changes: [{ file: PROTOCOL, piece: 'clock.monotonic() - markedAtMs > frozenAfterMs', instead: 'false' }],
    scope: { type: 'message.send', faults: 1, requests: 1, freezes: 'succeeded' },
    finds: 'doubled',
  },
  GRACE: {
    changes: [
      { file: PROTOCOL, piece: 'provenFromMs: markedAtMs + graceMs', instead: 'provenFromMs: markedAtMs' },
      GAVE_UP,
    ],
    scope: { type: 'message.send', faults: 0, requests: 1 },
    finds: 'doubled',
  },
  'GRACE after a restart': {
    changes: [
      { file: 'src/egress/job-of.ts', piece: 'provenFromMs: now + graceMs', instead: 'provenFromMs: now' },
    ],
    scope: { type: 'message.send', faults: 1, requests: 1 },
    finds: 'doubled',
  },
  'GRACE counted anew after a restart, while a clock is set ahead': {
    changes: [
      {
        file: 'src/egress/job-of.ts',
        piece: 'provenFromMs: now + graceMs',
        instead: 'provenFromMs: now + graceMs - ageMs',
      },
    ],
    scope: { type: 'message.send', faults: 1, requests: 1, clockJumpMs: 60_000 },
    finds: 'doubled',
  },
  'GRACE counted from when a frozen process gave up': {
    changes: [GAVE_UP],
    scope: { type: 'message.send', faults: 1, requests: 1, freezes: 'alone' },
    finds: 'doubled',
  },
  'the longer wait for notifications': {
    changes: [{ file: PROTOCOL, piece: "job.deed.foundBy === 'notification'", instead: 'Date.now() < 0' }],
    scope: { type: 'composition.start', faults: 1, requests: 1, longDowns: true },
    finds: 'doubled',
  },
  'reading back': {
    changes: [
      {
        file: PROTOCOL,
        piece: "await ask('readBack', readBack)\n      :",
        instead: "({ kind: 'absent' } as const)\n      :",
      },
    ],
    scope: { type: 'room.purge', faults: 0, requests: 1 },
    finds: 'doubled',
  },
  'doubt: whatever fails is tried again': {
    changes: [
      {
        file: 'src/egress/fate-of-error.ts',
        piece: "if (error.outcome === 'unknown') return { kind: 'doubt', reason };",
        instead: "if (error.outcome === 'unknown') return { kind: 'again', reason, limited: false };",
      },
    ],
    scope: { type: 'message.send', faults: 0, requests: 2 },
    finds: 'doubled',
  },
  'taking up what an earlier life left': {
    changes: [
      {
        file: 'src/egress/outbox.ts',
        piece: 'for (const record of past) take(record, record);',
        instead: '',
      },
    ],
    scope: { type: 'stream.terminate', faults: 1, requests: 1 },
    finds: 'lost',
  },
  'the mark of an earlier life': {
    changes: [{ file: 'src/egress/outbox.ts', piece: 'take(record, record);', instead: 'take(record);' }],
    scope: { type: 'composition.start', faults: 1, requests: 1 },
    finds: 'doubled',
  },
};

describe('with a part taken out the explorer finds what it is there for:', () => {
  test.each(Object.entries(plants))(
    '%s',
    async (part, { changes, scope, finds }) => {
      const whole = await explored(scope);
      expect({ ...whole, tooLate: [] }).toMatchObject(NOTHING_WRONG);
      const without = await explored({ ...scope, parts: await plant(changes) });
      expect(without[finds].length).toBeGreaterThan(0);
      found.push(`| ${part} | ${without[finds].length} of ${without.histories} ${finds} |`);
      expect(page).toMatch(new RegExp(`^\\| ${part} \\| \\d+ of \\d+ ${finds} \\|$`, 'm'));
    },
    TIMEOUT_MS,
  );

  test('a request that lands later than GRACE allows is doubled: that is the window that is left', async () => {
    const late = { type: 'message.send', faults: 0, requests: 1, tooLateMs: 20_000 } as const;
    const { doubled, lost } = await explored(late);
    expect(doubled.length).toBeGreaterThan(0);
    expect(lost).toEqual([]);
  });
});

test('there are as many histories as the page tells', () => {
  expect(page).toContain(`More than ${EXPLORED.toLocaleString('en')} histories`);
  expect(histories).toBeGreaterThan(EXPLORED);
});
