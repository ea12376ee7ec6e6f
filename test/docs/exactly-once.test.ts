import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ACTION_TYPES, type ActionType } from '../../src/domain/action.ts';
import { parseDuration } from '../../src/domain/duration.ts';
import { OUTBOX_DEFAULTS } from '../../src/egress/outbox-settings.ts';
import { createPerform } from '../../src/egress/perform.ts';
import { action } from '../egress/actions.ts';
import { scriptedPlatform } from '../egress/scripted-platform.ts';
import { virtualClock } from '../egress/virtual-clock.ts';

const page = readFileSync(new URL('../../docs/exactly-once.md', import.meta.url), 'utf8');

/** The cells of a row, by its first cell. */
const row = (first: string): readonly string[] | undefined =>
  page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find(([, cell]) => cell === `\`${first}\``)
    ?.slice(2, -1);

const DECISIONS: readonly ActionType[] = ['member.censor', 'member.mute', 'member.strike', 'log.write'];

const perform = createPerform({
  client: scriptedPlatform(() => 'ECONNRESET').client,
  operator: { ban: () => Promise.resolve() },
  clock: virtualClock(),
  webhookOf: () => undefined,
  history: {
    messageBefore: () => Promise.resolve(undefined),
    streamOf: () => Promise.resolve(undefined),
  },
});

describe('the page about each action', () => {
  test.each(ACTION_TYPES)('has a row for %s, of its class and freshness', (type) => {
    const deed = perform(action(type));
    const decision = DECISIONS.includes(type);
    const [kind, fresh, found] = row(type) ?? [];
    expect({ type, kind }).toEqual({
      type,
      kind: decision ? 'decision' : deed.repeatable ? 'repeatable' : 'once',
    });
    const freshForMs = parseDuration(fresh?.replace(' ', '').replace('min', 'm') ?? '');
    expect(freshForMs).toBe(decision ? undefined : deed.freshForMs);
    expect(found?.includes('notification')).toBe(deed.foundBy === 'notification');
    // What may not be repeated blindly can be looked for.
    expect(decision || deed.repeatable || deed.readBack !== undefined).toBe(true);
  });

  test('has the settings of the outbox with their defaults', () => {
    const { deadlineMs, graceMs, onDoubt } = OUTBOX_DEFAULTS;
    expect(row('egress.deadline')?.[0]).toBe(`${deadlineMs / 1_000} s`);
    expect(row('egress.grace')?.[0]).toBe(`${graceMs / 1_000} s`);
    expect(row('egress.onDoubt')?.[0]).toBe(`\`${onDoubt}\``);
    for (const policy of ['retry', 'give-up', 'ask']) expect(row('egress.onDoubt')?.[1]).toContain(policy);
  });
});
