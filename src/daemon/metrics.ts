import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Count } from '../engine/ports.ts';

export interface Metrics {
  readonly contentType: string;
  /** All of it in Prometheus' text format, as it is now. */
  text(): Promise<string>;
  /** Counts under `usher_<name>_total`; the labels of a name are those of its first use. */
  readonly count: Count;
  /** A value that is read when the metrics are fetched. */
  gauge(name: string, help: string, read: () => number): void;
}

/** One registry a daemon, so that two daemons in one process (a test) do not meet. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'usher_' });
  const counters = new Map<string, Counter>();
  const metricName = (name: string): string => `usher_${name.replaceAll(/\W+/g, '_')}`;
  return {
    contentType: registry.contentType,
    // Between two ticks of the event loop its lag has no mean: prom-client then writes "Nan", which strict readers refuse.
    text: async () => (await registry.metrics()).replaceAll(/^.* Nan\n/gm, ''),
    count(name, labels = {}, times = 1) {
      let counter = counters.get(name);
      if (counter === undefined) {
        counter = new Counter({
          name: `${metricName(name)}_total`,
          help: `How often: ${name}.`,
          labelNames: Object.keys(labels),
          registers: [registry],
        });
        counters.set(name, counter);
      }
      counter.inc(labels, times);
    },
    gauge(name, help, read) {
      const gauge = new Gauge({
        name: metricName(name),
        help,
        registers: [registry],
        collect() {
          gauge.set(read());
        },
      });
    },
  };
}
