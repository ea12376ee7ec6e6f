#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { describeError } from '../errors.ts';
import type { ConformanceCommand } from './conformance.ts';
import type { DoctorCommand } from './doctor.ts';
import type { EventsCommand } from './events.ts';
import type { SandboxCommand } from './sandbox.ts';

// What a command writes down holds what people said: it is for its owner alone.
process.umask(0o077);

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
}; // our own file

const port = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535; 0 takes a free one.');
};

const count = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('a whole number from 1 on.');
};

/** Runs a command and leaves with its status. A bug is told with its stack, and leaves with 1. */
const leaveWith =
  <A extends readonly unknown[]>(work: (...given: A) => Promise<number>) =>
  async (...given: A): Promise<void> => {
    try {
      process.exitCode = await work(...given);
    } catch (error) {
      process.stderr.write(
        `usher: ${error instanceof Error ? (error.stack ?? error.message) : describeError(error)}\n`,
      );
      process.exitCode = 1;
    }
  };

const usher = new Command('usher')
  .description('An event-driven moderation and production bot framework for live-streaming platforms.')
  .version(version)
  .showHelpAfterError('(see usher --help)')
  .showSuggestionAfterError();

// Each command is loaded when it is called: `usher --help` stays quick.
usher
  .command('start')
  .description('run the daemon')
  .option('--config <file>', 'its configuration', 'config/usher.yaml')
  .action(leaveWith(async (options: { config: string }) => (await import('./start.ts')).start(options)));

usher
  .command('demo')
  .description('a sandbox platform, a scripted show and the daemon, together, on this machine')
  .option('--port <n>', "the console's port; 0 takes a free one", port, 0)
  .addOption(new Option('--rounds <n>', 'stop after so many rounds of the show').argParser(Number))
  .action(
    leaveWith(async (options: { port: number; rounds?: number }) =>
      (await import('./demo.ts')).demo(options),
    ),
  );

usher
  .command('check')
  .description('check configuration, bots and plugins, and print the rules')
  .argument('[files...]', 'bot files to check instead of the configured folder')
  .option('--config <file>', 'the configuration; config/usher.yaml unless files are named')
  .action(
    leaveWith(async (files: string[], options: { config?: string }) =>
      (await import('./check.ts')).check({ files, ...options }),
    ),
  );

usher
  .command('sandbox')
  .description('run the platform emulator alone')
  .option('--port <n>', 'its port; 0 takes a free one', port, 8090)
  .option('--host <address>', 'the address it listens on', '127.0.0.1')
  .option('--seed <seed>', 'makes all ids and chances repeatable', 'usher')
  .option('--scenario <file>', 'a show to play (YAML)')
  .option('--application-id <id>', 'the application', 'demo')
  .option('--secret <secret>', "the application's secret", 'sandbox-secret')
  .option('--unsafe-bind', 'allow an address that other machines reach', false)
  .option('--log-limit <n>', 'how many of the newest requests and deliveries it remembers', count)
  .action(leaveWith(async (options: SandboxCommand) => (await import('./sandbox.ts')).sandbox(options)));

usher
  .command('events')
  .description('the journal, as people or programs read it')
  .option('--follow', 'go on with what passes, from the running daemon', false)
  .option('--room <glob>', 'only rooms and channels whose alias or id fits')
  .option('--type <type>', 'only this type of event, like stream.started')
  .option('--json', 'one JSON object a line', false)
  .option('--limit <n>', 'the newest so many', Number, 200)
  .option('--config <file>', 'the configuration', 'config/usher.yaml')
  .option('--data <folder>', 'the data folder, instead of the configured one')
  .option('--console <address>', "the running daemon's console, instead of the configured one")
  .action(leaveWith(async (options: EventsCommand) => (await import('./events.ts')).events(options)));

usher
  .command('doctor')
  .description('check, back up and repair the data directory while the daemon is stopped')
  .option('--rebuild', 'make the state of all lanes again from the journal alone', false)
  .option('--json', 'the findings as one JSON object', false)
  .option('--config <file>', 'the configuration', 'config/usher.yaml')
  .option('--data <folder>', 'the data folder, instead of the configured one')
  .action(leaveWith(async (options: DoctorCommand) => (await import('./doctor.ts')).doctor(options)));

usher
  .command('conformance')
  .description("hold the platform's interface against an address")
  .requiredOption('--base-url <url>', 'the platform or sandbox')
  .option('--application-id <id>', 'the application', 'demo')
  .option('--secret <secret>', 'its secret; USHER_SECRET where absent')
  .option('--only <text>', 'only checks whose id contains this')
  .option('--json', 'one JSON object a line', false)
  .action(
    leaveWith(async (options: ConformanceCommand) => (await import('./conformance.ts')).conformance(options)),
  );

await usher.parseAsync();
