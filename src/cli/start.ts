import { join } from 'node:path';
import { startDaemon, type Daemon } from '../daemon/daemon.ts';
import { loadConfiguration } from '../daemon/configuration.ts';
import { keepPrivate } from '../daemon/private-data.ts';
import { addressesOf, secretsIn, secretsOf } from '../daemon/secrets.ts';
import { loadRules } from '../daemon/load-rules.ts';
import { createLog } from '../daemon/log.ts';
import { startWatchdog, type Watchdog } from '../daemon/watchdog.ts';
import { watchRules } from '../daemon/watch-rules.ts';
import { ConfigurationError } from '../errors.ts';
import { ClientOptionsError } from '../platform/index.ts';
import type { Bot } from '../plugin/bot.ts';
import { tellLastWords } from './last-words.ts';
import { plainLines } from './paint.ts';
import { stopSignal } from './stop-signal.ts';
import { takeEnvironment } from './take-environment.ts';
import { whyNotStarted } from './why-not-started.ts';

/** The status of a program with a bad configuration (sysexits.h, EX_CONFIG). */
const BAD_CONFIGURATION = 78;

/** Runs the daemon until SIGTERM or SIGINT, then drains it. */
export async function start(options: { readonly config: string }): Promise<number> {
  const environment = takeEnvironment();
  const secrets = secretsIn(environment);
  const log = createLog({ secrets });
  let daemon: Daemon | undefined;
  tellLastWords(log, async () => daemon?.abandon());
  const stopping = stopSignal();
  let watchdog: Watchdog | undefined;
  try {
    const configuration = await loadConfiguration(options.config, environment);
    secrets.push(...secretsOf(configuration));
    await keepPrivate(configuration.data, log);
    const { warnAfter: warnAfterMs, endAfter: endAfterMs } = configuration.watchdog;
    watchdog = startWatchdog({ data: configuration.data, warnAfterMs, endAfterMs, log });
    const sources = {
      bots: [configuration.bots],
      plugins: configuration.plugins,
      cache: join(configuration.data, 'plugins'),
      environment,
    };
    const rules = await loadRules(sources);
    secrets.push(...addressesOf(rules.bots));
    for (const warning of rules.warnings) log.warn(warning);
    const running = await startDaemon({ configuration, bots: rules.bots, log, watchdog, secrets });
    daemon = running;
    const use = (bots: readonly Bot[]): void => {
      secrets.push(...addressesOf(bots).filter((address) => !secrets.includes(address)));
      running.use(bots);
    };
    const watcher = await watchRules({ sources, lists: rules.lists, use, log });
    const { webhooks, console } = running;
    log.info(
      { webhooks, console, bots: rules.bots.map(({ name }) => name) },
      `usher is ready: notifications at ${webhooks}, console at ${console}`,
    );

    const signal = await stopping;
    log.info({ signal }, 'usher drains: what is under way is finished');
    await watcher.close();
    const { left } = await running.stop();
    for (const line of running.tally.lines()) log.info(line);
    log.info(
      { left },
      left === 0
        ? 'usher has stopped, everything done'
        : 'usher has stopped; what is left goes on at the next start',
    );
    return 0;
  } catch (error) {
    if (error instanceof ConfigurationError) {
      process.stderr.write(plainLines(error.findings));
      return BAD_CONFIGURATION;
    }
    if (error instanceof ClientOptionsError) {
      process.stderr.write(plainLines([`${options.config}:1:1 platform: ${error.message}`]));
      return BAD_CONFIGURATION;
    }
    log.fatal({ err: error }, `usher did not start: ${whyNotStarted(error)}`);
    return 1;
  } finally {
    await watchdog?.stop();
  }
}
