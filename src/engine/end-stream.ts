import { describeError } from '../errors.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { RuleRuntime } from '../plugin/rule-runtime.ts';
import type { EdgeRule } from './edge-rule.ts';
import type { Count, Log, Whereabouts } from './ports.ts';

/** Ends an instance of a stream rule. Its teardown is its author's code: what that throws is told, and stays here. */
export function endStream(
  lane: LaneKey,
  { bot, bound, number }: EdgeRule,
  runtime: RuleRuntime,
  {
    log,
    count,
    whereabouts,
  }: { readonly log: Log; readonly count: Count; readonly whereabouts: Whereabouts },
): void {
  whereabouts.running(number);
  const thrown = runtime.dispose();
  whereabouts.running(0);
  if (!thrown) return;
  const rule = { bot: bot.name, rule: bound.id };
  count('rule.failures', rule);
  log.warn(
    { ...rule, lane, error: describeError(thrown.error) },
    'A rule threw while its stream was ended; the stream is gone all the same. Look at its `finalize` and teardowns.',
  );
}
