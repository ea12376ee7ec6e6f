import { describe, expect, test } from 'vitest';
import { logRuleFailures } from '../../src/daemon/log-rule-failures.ts';
import type { RuleFailed, RuleQuarantined } from '../../src/domain/event.ts';
import { withId } from '../../src/domain/event-id.ts';
import { createBus } from '../../src/engine/bus.ts';

const common = { at: 1, seenAt: 1, source: 'daemon', bot: 'house', rule: 'boom' } as const;

describe('rules that throw, in the log', () => {
  test('the rule, the event and the error are told, and the rest that it takes', () => {
    const lines: unknown[] = [];
    const line =
      (level: string) =>
      (data: object): void =>
        void lines.push({ level, ...data });
    const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
    const bus = createBus(log);
    const told = logRuleFailures(bus, log);
    bus.event(withId<RuleFailed>({ ...common, type: 'rule.failed', event: 'e1', error: 'kaboom' }));
    bus.event(withId<RuleQuarantined>({ ...common, type: 'rule.quarantined', reason: 'kaboom' }));
    told.unsubscribe();
    bus.event(withId<RuleFailed>({ ...common, type: 'rule.failed', event: 'e2', error: 'kaboom' }));
    expect(lines).toEqual([
      { level: 'warn', bot: 'house', rule: 'boom', event: 'e1', error: 'kaboom' },
      { level: 'error', bot: 'house', rule: 'boom', error: 'kaboom' },
    ]);
  });
});
