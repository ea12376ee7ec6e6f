import { expect, test } from 'vitest';
import { createMetrics } from '../../src/daemon/metrics.ts';

test('a sample without a value yet is left out, however often somebody asks', async () => {
  const { text, count } = createMetrics();
  count('deeds', { kind: 'hide' });
  // Two readings within one tick: the lag of the event loop has no mean between them.
  for (const metrics of [await text(), await text(), await text()]) {
    expect(metrics).toContain('usher_deeds_total{kind="hide"} 1');
    for (const line of metrics.split('\n').filter((text) => text !== '' && !text.startsWith('#')))
      expect(line).toMatch(/ (-?\d[\d.e+-]*|[+-]Inf)$/);
  }
});
