import { watch } from 'chokidar';
import { ConfigurationError, describeError } from '../errors.ts';
import type { Bot } from '../plugin/bot.ts';
import { loadRules, RulesError, type RuleSources } from './load-rules.ts';
import type { Log } from './log.ts';

/** Editors write a file in several steps: a change is looked at when it has been quiet for so long. */
const QUIET_MS = 200;

export interface RulesWatcher {
  /** Resolves when no reload is under way any more. */
  close(): Promise<void>;
}

/**
 * Reloads bots, lists and plugins when their files change, or on SIGHUP: everything is checked, then swapped in one
 * step. What does not check is told, and what runs goes on running. Resolves when changes are seen.
 */
export async function watchRules(of: {
  readonly sources: RuleSources;
  readonly lists: readonly string[];
  readonly use: (bots: readonly Bot[]) => void;
  readonly log: Log;
}): Promise<RulesWatcher> {
  const { sources, use, log } = of;
  const watcher = watch([...sources.bots, sources.plugins, ...of.lists], { ignoreInitial: true });
  let quiet: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();

  async function reload(): Promise<void> {
    try {
      const rules = await loadRules(sources);
      use(rules.bots);
      watcher.add([...rules.lists]);
      for (const warning of rules.warnings) log.warn(warning);
      log.info({ bots: rules.bots.map(({ name }) => name) }, 'rules reloaded');
    } catch (error) {
      if (error instanceof RulesError) watcher.add([...error.lists]);
      const findings = error instanceof ConfigurationError ? error.findings : [describeError(error)];
      log.error({ findings }, `rules not reloaded, what runs goes on: ${findings.join('; ')}`);
    }
  }
  /** One after the other: the newest files win. */
  const changed = (): void => {
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      working = working.then(reload);
    }, QUIET_MS);
  };
  watcher.on('all', changed);
  watcher.on('error', (error) =>
    log.error({ err: error }, 'the files of the rules cannot be watched; SIGHUP still reloads them'),
  );
  process.on('SIGHUP', changed);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));

  return {
    async close() {
      clearTimeout(quiet);
      process.removeListener('SIGHUP', changed);
      await watcher.close();
      await working;
    },
  };
}
