import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfiguration, type Configuration } from '../daemon/configuration.ts';
import { loadRules, type LoadedRules } from '../daemon/load-rules.ts';
import { ConfigurationError } from '../errors.ts';
import { describeBots } from '../language/describe-bots.ts';
import { paintFor, plain, plainLines } from './paint.ts';
import { shipped } from './shipped.ts';
import { table } from './table.ts';

export interface CheckCommand {
  /** Bot files instead of the configured folder. */
  readonly files: readonly string[];
  /** Undefined where nobody named one. */
  readonly config?: string;
}

/** Checks configuration, plugins and bots without starting anything; every finding of all of them is told. */
export async function check({ files, config }: CheckCommand): Promise<number> {
  const findings: string[] = [];
  const collect = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      findings.push(...error.findings);
      return undefined;
    }
  };

  // Files alone are checked without a configuration: its secrets are not there where bots are written.
  const configured = config !== undefined || files.length === 0;
  const configuration = configured
    ? await collect(loadConfiguration(config ?? 'config/usher.yaml'))
    : undefined;
  const rules = await collect(rulesOf(files, configuration));
  if (findings.length > 0) {
    process.stderr.write(plainLines(findings));
    return 1;
  }
  if (rules !== undefined) tell(rules);
  return 0;
}

/** Files that are named are checked even when the configuration is not well; the plugins are then the usual ones. */
async function rulesOf(
  files: readonly string[],
  configuration: Configuration | undefined,
): Promise<LoadedRules | undefined> {
  if (files.length === 0 && configuration === undefined) return undefined;
  const cache = await mkdtemp(join(tmpdir(), 'usher-check-'));
  try {
    return await loadRules({
      bots: files.length > 0 ? files : configuration ? [configuration.bots] : [],
      plugins: configuration?.plugins ?? (existsSync('plugins') ? 'plugins' : shipped('plugins')),
      cache,
      environment: process.env,
    });
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

function tell({ bots, warnings }: LoadedRules): void {
  const paint = paintFor(process.stdout);
  const rows = describeBots(bots);
  // The widest columns last: a narrow terminal breaks lines where they hurt least.
  const shown = rows.map(({ bot, rule, shape, mode, guarantee, hears, does }) => ({
    bot,
    rule,
    shape,
    mode,
    guarantee,
    hears,
    does,
  }));
  process.stdout.write(`${table(shown, paint)}\n`);
  for (const warning of warnings)
    process.stdout.write(`${paint('yellow', 'warning')} ${plain(warning, Infinity)}\n`);
  process.stdout.write(
    `${bots.length} ${bots.length === 1 ? 'bot' : 'bots'}, ${rows.length} rules: no findings\n`,
  );
}
