import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
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

export function printTable(columns: readonly Column[]): void {
  const lines = ROWS.map(
    (row, at) => `${row.padEnd(40)} ${columns.map(({ cells }) => (cells[at] ?? '').padStart(24)).join(' ')}`,
  );
  const head = `${' '.repeat(41)}${columns.map(({ name }) => name.padStart(24)).join(' ')}`;
  process.stdout.write(`\n${head}\n${lines.join('\n')}\n`);
}

/** For a page: with the machine and the day, since such figures mean nothing without. */
export function markdownOf(columns: readonly Column[], day: Date): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.versions.node}, load ${(loadavg()[0] ?? 0).toFixed(1)}`;
  return [
    row(['', ...columns.map(({ name }) => name)]),
    row(['---', ...columns.map(() => '---:')]),
    ...ROWS.map((name, at) => row([name, ...columns.map(({ cells }) => cells[at] ?? '')])),
    '',
    `${day.toISOString().slice(0, 10)}, ${machine}.`,
  ].join('\n');
}

/** Puts the text between the two marks of the page. */
export async function writeFigures(page: URL, text: string): Promise<void> {
  const [begin, end] = ['<!-- drill figures -->', '<!-- /drill figures -->'];
  const old = await readFile(page, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page.pathname} has no place for figures: ${begin} … ${end}`);
  await writeFile(page, `${old.slice(0, from + begin.length)}\n\n${text}\n\n${old.slice(to)}`);
}
