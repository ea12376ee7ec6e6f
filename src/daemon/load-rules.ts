import { relative, resolve } from 'node:path';
import { ConfigurationError } from '../errors.ts';
import { compileBots } from '../language/compile-bots.ts';
import type { Bot } from '../plugin/bot.ts';
import { listFiles } from './list-files.ts';
import { loadPlugins } from './load-plugins.ts';
import { readBotFiles } from './read-bot-files.ts';

export interface RuleSources {
  /** A folder of bot files, or files. */
  readonly bots: readonly string[];
  readonly plugins: string;
  /** Where bundled plugins are kept. */
  readonly cache: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface LoadedRules {
  readonly bots: readonly Bot[];
  readonly warnings: readonly string[];
  /** Lists that the bots name, to be watched. */
  readonly lists: readonly string[];
}

/** Loads plugins and bots, whole: throws `ConfigurationError` with every finding of both. */
export async function loadRules({ bots, plugins, cache, environment }: RuleSources): Promise<LoadedRules> {
  const loaded = await loadPlugins(plugins, cache);
  const files = (await Promise.all(bots.map(readBotFiles))).flat();
  const lists = listFiles(bots);
  const compiled = compileBots({
    files,
    env: environment,
    plugins: loaded.plugins,
    readFile: lists.read,
  });
  const findings = [...loaded.findings, ...('findings' in compiled ? compiled.findings : [])];
  if (files.length === 0) {
    findings.push(
      `${bots.map(shown).join(', ')}:1:1 holds no bot: write one, or start from a copy of bots/house.yaml`,
    );
  }
  const watched = compiled.reads.filter(lists.mayHold).map((path) => resolve(path));
  if ('findings' in compiled || findings.length > 0) throw new RulesError(findings, watched);
  return {
    bots: compiled.bots,
    warnings: compiled.warnings,
    lists: watched,
  };
}

/** Bots or plugins are wrong; `lists` are the files that were read all the same, to be watched for the mending. */
export class RulesError extends ConfigurationError {
  readonly lists: readonly string[];
  constructor(findings: readonly string[], lists: readonly string[]) {
    super(findings);
    this.lists = lists;
  }
}

const shown = (path: string): string => relative(process.cwd(), path) || path;
