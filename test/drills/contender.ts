import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { TOKEN, type Running, type Sandbox, type Stage } from '../journeys/processes.ts';
import { BOT } from './house.ts';

/** A program that is put through the drill: started again and again on the same ports and the same folder. */
export interface Contender {
  readonly name: 'usher' | 'naive bot';
  /** A new life; `isReady` asks whether it works by now. */
  start(): { readonly running: Running; readonly isReady: () => Promise<boolean> };
}

/** GRACE holds the deadline, and longer than any request lands after it here. */
export const EGRESS = { deadlineMs: 2_000, graceMs: 4_000 } as const;

/** The daemon, as an operator runs it. */
export async function usher(
  stage: Stage,
  sandbox: Sandbox,
  more: Record<string, unknown> = {},
  limits: { readonly fileSizeBlocks?: number } = {},
): Promise<Contender & { readonly console: string }> {
  const [webhooks, console] = [await freePort(), await freePort()];
  await stage.bot('drill', BOT);
  await stage.configure(sandbox.baseUrl, {
    webhooks: { port: webhooks },
    polling: {
      budget: '200/s',
      rooms: { every: '2s' },
      channels: { every: '5s' },
      members: { min: '500ms', max: '3s' },
      messages: { min: '200ms', max: '1s' },
    },
    egress: { deadline: `${EGRESS.deadlineMs}ms`, grace: `${EGRESS.graceMs}ms` },
    console: { port: console, token: TOKEN },
    ...more,
  });
  const address = `http://127.0.0.1:${console}`;
  return {
    name: 'usher',
    console: address,
    start: () => ({
      running: stage.run(['start'], {}, limits),
      isReady: async () => (await statusOf(`${address}/readyz`)) === 200,
    }),
  };
}

/** What one writes in an afternoon: see naive-bot.ts. */
export async function naiveBot(stage: Stage, sandbox: Sandbox): Promise<Contender> {
  const port = await freePort();
  const folder = join(stage.folder, 'naive');
  await mkdir(folder);
  const program = join(folder, 'naive-bot.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('naive-bot.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return {
    name: 'naive bot',
    start() {
      const running = stage.start([process.execPath, program, sandbox.baseUrl, String(port)]);
      return { running, isReady: async () => running.output().includes('ready') };
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

/** The HTTP status; undefined while nobody answers, or not in time. */
export async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined; // nobody there yet is what is being asked
  }
}
