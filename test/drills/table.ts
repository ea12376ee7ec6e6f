import type { DrillResult } from './drill.ts';
import { percentiles } from './drill.ts';
import type { Tally } from './judge.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export interface Column {
  readonly name: string;
  readonly cells: readonly string[];
}

export const ROWS = [
  'faults',
  'notifications (a second)',
  'messages',
  'effects due',
  'lost',
  'doubled',
  'misordered',
  'unasked',
  'ready after a start, p50 / p99',
  'first effect after a start, p50 / p99',
] as const;

export function columnOf(results: readonly DrillResult[]): Column {
  const tallies = results.flatMap(({ verdict }) => Object.values(verdict));
  const total = (what: keyof Tally): string => String(sum(tallies.map((tally) => tally[what])));
  const times = (values: readonly number[]): string => {
    const { p50, p99 } = percentiles(values);
    return `${Math.round(p50)} / ${Math.round(p99)} ms`;
  };
  const perSecond = sum(results.map((one) => one.perSecond)) / results.length;
  return {
    name: results[0]?.contender ?? 'nobody',
    cells: [
      String(sum(results.map(({ faults }) => faults))),
      `${sum(results.map(({ notifications }) => notifications))} (${Math.round(perSecond)})`,
      String(sum(results.map(({ messages }) => messages))),
      total('expected'),
      total('lost'),
      total('doubled'),
      total('misordered'),
      total('unasked'),
      times(results.flatMap(({ readyMs }) => readyMs)),
      times(results.flatMap(({ effectMs }) => effectMs)),
    ],
  };
}

export async function printTable(...drills: readonly (readonly DrillResult[])[]): Promise<void> {
  const columns = drills.map(columnOf);
  const lines = ROWS.map(
    (row, at) => `${row.padEnd(40)} ${columns.map(({ cells }) => (cells[at] ?? '').padStart(24)).join(' ')}`,
  );
  process.stdout.write(
    `\n${' '.repeat(41)}${columns.map(({ name }) => name.padStart(24)).join(' ')}\n${lines.join('\n')}\n`,
  );
  for (const results of drills)
    for (const { contender, verdict } of results)
      for (const [effect, tally] of Object.entries(verdict))
        process.stdout.write(`${contender} ${effect}: ${JSON.stringify(tally)}\n`);
}
