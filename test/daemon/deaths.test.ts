import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noteDeath, pastDeaths, readDeaths, type Death } from '../../src/daemon/deaths.ts';
import { ruleIdentity } from '../../src/engine/rule-identity.ts';

const DAY = 24 * 3_600_000;
const death = (event: string, more: Partial<Death> = {}): Death => ({
  at: 1_800_000_000_000,
  bot: 'house',
  rule: 'loops',
  fingerprint: 'f1',
  event,
  ...more,
});
const identity = ruleIdentity(death('a'));

describe('what follows from deaths', () => {
  test('one sets nothing aside, two of one rule at one event do', () => {
    expect(pastDeaths([death('a')]).setAside.size).toBe(0);
    expect(pastDeaths([death('a'), death('a')])).toEqual({
      setAside: new Map([['a', new Set([identity])]]),
      resting: new Set(),
    });
  });

  test('deaths of other events, other rules and the rule before it was changed count apart', () => {
    const { setAside } = pastDeaths([
      death('a'),
      death('b'),
      death('a', { rule: 'other' }),
      death('a', { bot: 'other' }),
      death('a', { fingerprint: 'f2' }),
    ]);
    expect(setAside.size).toBe(0);
  });

  test('a rule that two events were set aside for rests', () => {
    const twice = [death('a'), death('a'), death('b')];
    expect(pastDeaths(twice).resting.size).toBe(0);
    expect(pastDeaths([...twice, death('b')]).resting).toEqual(new Set([identity]));
  });
});

describe('the notes of deaths', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'usher-deaths-'));
    file = join(folder, 'data', 'deaths.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('are read as they were written, and leave nothing else behind', () => {
    expect(readDeaths(file)).toEqual([]);
    noteDeath(file, death('a'));
    noteDeath(file, death('b'));
    expect(readDeaths(file)).toEqual([death('a'), death('b')]);
    expect(readdirSync(join(folder, 'data'))).toEqual(['deaths.json']);
  });

  test('are forgotten after a week, and when there are too many', () => {
    noteDeath(file, death('old'));
    for (let index = 0; index < 110; index += 1)
      noteDeath(file, death(`e${index}`, { at: death('').at + 8 * DAY }));
    const events = readDeaths(file).map(({ event }) => event);
    expect(events).toHaveLength(100);
    expect(events[0]).toBe('e10');
  });

  test('that are damaged are not read, and begun anew by the next', () => {
    noteDeath(file, death('a'));
    writeFileSync(file, '{"version":1,"deaths":[{}]}');
    expect(() => readDeaths(file)).toThrow(/Invalid input/);
    noteDeath(file, death('b'));
    expect(readDeaths(file)).toEqual([death('b')]);
  });
});
