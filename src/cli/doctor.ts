import { join, resolve } from 'node:path';
import { loadConfiguration, type Configuration } from '../daemon/configuration.ts';
import { loadRules } from '../daemon/load-rules.ts';
import { systemClock } from '../daemon/system-clock.ts';
import { treatData, type Treatment } from '../daemon/treat-data.ts';
import { ConfigurationError, StoreError } from '../errors.ts';
import type { Bot } from '../plugin/bot.ts';
import { paintFor, plain, type Colour } from './paint.ts';

export interface DoctorCommand {
  readonly rebuild: boolean;
  readonly json: boolean;
  readonly config: string;
  /** The data folder, instead of the configured one. */
  readonly data?: string;
}

/** Checks, backs up and repairs the data directory; gives 1 when something is lost or nothing could be done. */
export async function doctor(command: DoctorCommand): Promise<number> {
  try {
    const { data, rebuild } = command;
    const configuration = data === undefined || rebuild ? await loadConfiguration(command.config) : undefined;
    const treatment = await treatData({
      folder: data === undefined ? (configuration?.data ?? '') : resolve(data),
      clock: systemClock,
      rebuild: rebuild && configuration ? await botsOf(configuration) : undefined,
    });
    if (command.json) process.stdout.write(`${JSON.stringify(treatment)}\n`);
    else tell(treatment);
    return treatment.notes.some(({ kind }) => kind === 'lost') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof StoreError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function botsOf(configuration: Configuration): Promise<readonly Bot[]> {
  const { bots } = await loadRules({
    bots: [configuration.bots],
    plugins: configuration.plugins,
    cache: join(configuration.data, 'plugins'),
    environment: process.env,
  });
  return bots;
}

const COLOURS = { sound: 'green', mended: 'yellow', lost: 'red', todo: 'cyan' } as const satisfies Record<
  string,
  Colour
>;
const HEADS = { sound: 'sound ', mended: 'mended', lost: 'LOST  ', todo: 'to do ' } as const;

function tell({ backup, notes }: Treatment): void {
  const paint = paintFor(process.stdout);
  for (const { kind, text } of notes)
    process.stdout.write(`${paint(COLOURS[kind], HEADS[kind])}  ${plain(text, 2_000)}\n`);
  const lost = notes.filter(({ kind }) => kind === 'lost').length;
  process.stdout.write(`A copy of everything as it was: ${backup}\n`);
  process.stdout.write(
    lost > 0
      ? paint('red', 'Something is lost; usher can start again.\n')
      : paint('green', 'Nothing is lost; usher can start.\n'),
  );
}
