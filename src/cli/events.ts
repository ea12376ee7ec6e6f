import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { WebSocket } from 'ws';
import { hideTokens, type FeedItem } from '../console/feed-item.ts';
import { loadConfiguration } from '../daemon/configuration.ts';
import { escapeControls } from '../daemon/escape-controls.ts';
import { EVENT_TYPES, type UsherEvent } from '../domain/event.ts';
import { ConfigurationError, describeError, StoreError } from '../errors.ts';
import { Findings } from '../language/finding.ts';
import { didYouMean } from '../language/did-you-mean.ts';
import { compileGlob } from '../language/glob.ts';
import { readYaml } from '../language/read-yaml.ts';
import { openJournalReader } from '../store/journal-reader.ts';
import { Names } from './names.ts';
import { paintFor, plain, plainLines } from './paint.ts';
import { tellEvent } from './tell-event.ts';

export interface EventsCommand {
  readonly follow: boolean;
  readonly room?: string;
  readonly type?: string;
  readonly json: boolean;
  readonly limit: number;
  readonly config: string;
  readonly data?: string;
  readonly console?: string;
}

/** Rows read at once: enough to be quick, few enough to be small. */
const PAGE = 1_000;

/** Prints the journal, newest last; with `follow`, what the running daemon sees from now on. */
export async function events(command: EventsCommand): Promise<number> {
  const { type } = command;
  if (type !== undefined && !EVENT_TYPES.some((known) => known === type)) {
    process.stderr.write(`unknown type of event "${type}"${didYouMean(type, EVENT_TYPES)}\n`);
    return 1;
  }
  try {
    return command.follow ? await follow(command, printer(command)) : await read(command, printer(command));
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof StoreError) {
      process.stderr.write(plainLines(error.message.split('\n')));
      return 1;
    }
    throw error;
  }
}

/** Learns names from all that passes, and prints what is asked for, one line an event. */
interface Printer {
  readonly learn: (event: UsherEvent) => void;
  readonly print: (event: UsherEvent) => void;
}

function printer({ json, room, type }: EventsCommand): Printer {
  const names = new Names();
  const paint = paintFor(process.stdout);
  const fits = room === undefined ? undefined : compileGlob(room);
  const learn = (event: UsherEvent): void => names.learn(event);
  return {
    learn,
    print(event) {
      learn(event);
      if (type !== undefined && event.type !== type) return;
      if (fits && !(event.place && (fits(event.place.id) || fits(names.place(event.place))))) return;
      if (json) {
        process.stdout.write(`${escapeControls(hideTokens(JSON.stringify(event)))}\n`);
        return;
      }
      const told = tellEvent(event, names);
      if (told === undefined) return;
      const time = new Date(event.at).toISOString().replace('T', ' ').slice(0, 19);
      process.stdout.write(
        `${paint('gray', time)}  ${paint('bold', names.place(event.place).padEnd(14))}  ${paint(told.colour, told.text)}\n`,
      );
    },
  };
}

async function read(command: EventsCommand, { learn, print }: Printer): Promise<number> {
  const reader = openJournalReader(join(await dataFolder(command), 'usher.db'));
  try {
    const newest = await reader.read({ backward: true, limit: command.limit });
    // Places were named long before: their names come first, whatever is asked for.
    for (let afterSeq = 0; ;) {
      const page = await reader.read({ afterSeq, limit: PAGE, types: ['room.opened', 'channel.opened'] });
      for (const { event } of page) learn(event);
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) break;
      afterSeq = last.seq;
    }
    for (const { event } of newest.toReversed()) print(event);
    return 0;
  } finally {
    reader.close();
  }
}

/** The configured data folder, without asking for the secrets that the daemon needs. */
async function dataFolder({ data, config }: EventsCommand): Promise<string> {
  if (data !== undefined) return resolve(data);
  if (!existsSync(config)) return resolve('./data');
  const root = readYaml(config, await readFile(config, 'utf8'), process.env, new Findings());
  const configured = root?.get('data')?.value;
  return resolve(typeof configured === 'string' ? configured : './data');
}

/** Listens to the feed until the daemon closes it or the user has seen enough. */
async function follow(command: EventsCommand, { print }: Printer): Promise<number> {
  const { address, token } = await consoleOf(command);
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/feed`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const stop = (): void => socket.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await new Promise<number>((done) => {
      socket.on('message', (data: Buffer) => {
        const item = JSON.parse(data.toString('utf8')) as FeedItem; // the console's own words
        if (item.kind !== 'dropped') print(item.event);
        else process.stderr.write(`${item.dropped} missed: this terminal reads too slowly\n`);
      });
      socket.on('unexpected-response', (_request, response) => {
        process.stderr.write(
          response.statusCode === 401
            ? 'the daemon does not take this token: set USHER_CONSOLE_TOKEN to its console.token\n'
            : `the console at ${address} answered ${response.statusCode}: is it usher's?\n`,
        );
        socket.terminate();
        done(1);
      });
      socket.on('error', (error) => {
        process.stderr.write(
          `no daemon answers at ${address}: ${plain(describeError(error))} - start it, or name it with --console\n`,
        );
        done(1);
      });
      socket.on('close', () => done(0));
    });
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}

async function consoleOf({
  console,
  config,
}: EventsCommand): Promise<{ readonly address: string; readonly token: string }> {
  if (console !== undefined)
    return { address: console.replace(/\/$/, ''), token: process.env['USHER_CONSOLE_TOKEN'] ?? '' };
  const configured = (await loadConfiguration(config)).console;
  return { address: `http://${configured.host}:${configured.port}`, token: configured.token };
}
