/**
 * A program that is blocked: `node blocking.mjs DATA HOW ENDAFTER`. It starts the watchdog, runs a rule that comes back,
 * and then does not come back itself. Tests bundle and run it.
 */
import { startWatchdog } from '../../src/daemon/watchdog.ts';

const [data = '', how = '', endAfter = ''] = process.argv.slice(2);
const note = (level: string) => (of: object, msg: string) =>
  void process.stdout.write(`${JSON.stringify({ level, ...of, msg })}\n`);
const { whereabouts } = startWatchdog({
  data,
  warnAfterMs: 400,
  endAfterMs: Number(endAfter),
  log: { warn: note('warn'), error: note('error') },
  threadFile: new URL('watchdog-thread.mjs', import.meta.url),
});
const number = whereabouts.number({ bot: 'house', rule: 'loops', fingerprint: 'f1' });
whereabouts.handling(1);
whereabouts.running(number);
whereabouts.running(0);

const blockFor = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
setTimeout(() => {
  if (how === 'rule' || how === 'regexp') whereabouts.running(number);
  if (how === 'regexp') /^(a+)+$/.test(`${'a'.repeat(60)}b`);
  if (how === 'while') blockFor(3_000);
  else blockFor(Infinity);
  // Long enough for the watchdog to see it turn again.
  setTimeout(() => process.stdout.write('came back\n', () => process.exit(0)), 500);
}, 300);
