import { FAULTS } from './findings.ts';
import { STORM } from './weather.ts';
import { simulate, type Report } from './simulate.ts';

const USAGE = `npm run simulate -- [--seed N [--verbose]] [--seeds N [--from M] [--until-found]] [--storm]`;

interface Wish {
  readonly from: number;
  readonly seeds: number;
  readonly verbose: boolean;
  /** Stops at the first seed that fails. */
  readonly untilFound: boolean;
  /** The worst of weather in all of them. */
  readonly storm: boolean;
}

function wishOf(args: readonly string[]): Wish | undefined {
  const number = (name: string): number | undefined => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : Number(args[at + 1]);
  };
  const seed = number('--seed');
  const wish = {
    from: seed ?? number('--from') ?? 1,
    seeds: seed === undefined ? (number('--seeds') ?? 100) : 1,
    verbose: args.includes('--verbose'),
    untilFound: args.includes('--until-found'),
    storm: args.includes('--storm'),
  };
  return Number.isSafeInteger(wish.from) && Number.isSafeInteger(wish.seeds) ? wish : undefined;
}

/** `npm run simulate`: runs seeds, tells each that fails and how to play it again, and ends with a table. */
export async function command(args: readonly string[], write: (line: string) => void): Promise<0 | 1> {
  const wish = wishOf(args);
  if (wish === undefined) {
    write(USAGE);
    return 1;
  }
  const reports: Report[] = [];
  const startedAt = performance.now();
  for (let seed = wish.from; seed < wish.from + wish.seeds; seed += 1) {
    const report = await simulate(seed, {
      ...(wish.verbose && { trace: write }),
      ...(wish.storm && { weather: STORM }),
    });
    reports.push(report);
    if (report.findings.length === 0) continue;
    write(
      `seed ${seed} fails; play it again with: npm run simulate -- --seed ${seed}${wish.storm ? ' --storm' : ''} --verbose`,
    );
    for (const { fault, what } of report.findings) write(`  ${fault}: ${what}`);
    if (wish.untilFound) break;
  }
  for (const line of summary(reports, (performance.now() - startedAt) / 1_000)) write(line);
  return reports.every(({ findings }) => findings.length === 0) ? 0 : 1;
}

/** The table of a series of runs. */
export function summary(reports: readonly Report[], seconds: number): readonly string[] {
  const sum = (of: (report: Report) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const kinds = (
    of: (report: Report) => Partial<Record<string, number>>,
  ): readonly (readonly [string, number])[] => {
    const counts = new Map<string, number>();
    for (const report of reports)
      for (const [kind, count = 0] of Object.entries(of(report)))
        counts.set(kind, (counts.get(kind) ?? 0) + count);
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const rest = reports.map(({ restAfterMs }) => restAfterMs / 1_000).sort((a, b) => a - b);
  const rows: readonly (readonly [string, string | number])[] = [
    ['runs', reports.length],
    ['crashes', sum(({ crashes }) => crashes)],
    ['freezes', sum(({ freezes }) => freezes)],
    ['requests', sum(({ requests }) => requests)],
    ...kinds(({ requestFaults }) => requestFaults).map(([kind, count]) => [`  ${kind}`, count] as const),
    ...kinds(({ noticeFaults }) => noticeFaults).map(
      ([kind, count]) => [`  notification ${kind}`, count] as const,
    ),
    ['events', sum(({ events }) => events)],
    ['actions', sum(({ actions }) => actions)],
    ...FAULTS.map(
      (fault) =>
        [fault, sum(({ findings }) => findings.filter((one) => one.fault === fault).length)] as const,
    ),
    ['at rest after, s, p50', (rest[Math.floor(rest.length / 2)] ?? 0).toFixed(0)],
    ['at rest after, s, most', (rest.at(-1) ?? 0).toFixed(0)],
    ['seeds/s', (reports.length / seconds).toFixed(1)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${String(value).padStart(9)}`);
}
