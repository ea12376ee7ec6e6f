import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../daemon/configuration.ts';
import { configurationSchema } from '../daemon/configuration-schema.ts';
import { startDaemon } from '../daemon/daemon.ts';
import { loadRules } from '../daemon/load-rules.ts';
import { createLog } from '../daemon/log.ts';
import { ConfigurationError } from '../errors.ts';
import { loadScenario, playScenario, startSandbox } from '../sandbox/index.ts';
import { narrate } from './narrator.ts';
import { paintFor, plainLines } from './paint.ts';
import { shipped } from './shipped.ts';
import { stopSignal } from './stop-signal.ts';

export interface DemoCommand {
  readonly port: number;
  readonly rounds?: number;
}

/** Runs the sandbox, the scripted show and the daemon in one process until Ctrl-C, and tells what happens. */
export async function demo({ port, rounds }: DemoCommand): Promise<number> {
  const stopping = stopSignal();
  const paint = paintFor(process.stdout);
  const say = (line = ''): void => void process.stdout.write(`${line}\n`);
  const data = await mkdtemp(join(tmpdir(), 'usher-demo-'));
  const log = createLog({ level: 'error' });
  try {
    const show = await loadScenario(shipped('config/demo-show.yaml'));
    const rules = await loadRules({
      bots: [shipped('bots')],
      plugins: shipped('plugins'),
      cache: join(data, 'plugins'),
      environment: process.env,
    });
    const sandbox = await startSandbox();
    const configuration = demoConfiguration({ data, port, baseUrl: sandbox.baseUrl, secret: sandbox.secret });
    const daemon = await startDaemon({ configuration, bots: rules.bots, log });
    say(`usher is ready: notifications at ${daemon.webhooks}, console at ${daemon.console}`);
    say(
      paint(
        'gray',
        `The platform is a sandbox at ${sandbox.baseUrl}; the bots are bots/house.yaml and bots/producer.yaml.`,
      ),
    );
    say(paint('gray', 'To follow it in another terminal:'));
    say(
      paint(
        'gray',
        `  USHER_CONSOLE_TOKEN=${configuration.console.token} npx usher events --follow --console ${daemon.console}`,
      ),
    );
    say(`${paint('bold', `The show: ${show.name}.`)} Ctrl-C ends it.`);
    say();

    const stopTelling = narrate(daemon.bus, paint, say);
    const played = playScenario(sandbox, show, rounds === undefined ? {} : { rounds });
    await Promise.race([stopping, played.done]);
    played.stop();
    say();
    say(paint('bold', 'The show is over: what is under way is finished.'));
    const { left } = await daemon.stop();
    stopTelling();
    await sandbox.close();
    for (const line of daemon.tally.lines()) say(line);
    say(left === 0 ? 'Everything was done.' : `${left} actions were left open.`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(plainLines(error.findings));
    return 78;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** As config/usher.yaml, with quicker polls and free ports: a show is short. */
function demoConfiguration(of: {
  readonly data: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly secret: string;
}): Configuration {
  const { data, port, baseUrl, secret } = of;
  const checked = configurationSchema.parse({
    platform: { baseUrl, applicationId: 'demo', secret },
    webhooks: { port: 0 },
    polling: {
      budget: '50/s',
      rooms: { every: '2s' },
      channels: { every: '2s' },
      members: { min: '300ms', max: '1s' },
      messages: { min: '200ms', max: '500ms' },
    },
    console: { port, token: randomBytes(18).toString('base64url') },
  });
  return { ...checked, data, file: '(demo)' };
}
