import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const usher = join(root, 'dist', 'cli', 'usher.js');

/** A process of ours: its output so far, and how it ended. */
export interface Running {
  readonly child: ChildProcess;
  output(): string;
  /** Resolves with the match as soon as the output has it; rejects with the output when it does not come. */
  prints(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  /** Sends the signal and resolves with the exit code (null for a killed one). */
  end(signal: NodeJS.Signals): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

/** Starts any program, `[file, ...arguments]`. */
export function run(
  [file = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Running {
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const waiting = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    text += chunk.toString('utf8');
    for (const look of waiting) look();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  void ended.then(() => [...waiting].forEach((look) => look()));
  return {
    child,
    ended,
    output: () => text,
    prints: (pattern, withinMs = 20_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => done(new Error(`no ${pattern} within ${withinMs} ms in:\n${text}`)),
          withinMs,
        );
        const done = (result: RegExpExecArray | Error): void => {
          clearTimeout(timer);
          waiting.delete(look);
          if (result instanceof Error) reject(result);
          else resolve(result);
        };
        const look = (): void => {
          const match = pattern.exec(text);
          if (match) done(match);
          else if (child.exitCode !== null)
            done(new Error(`ended with ${child.exitCode} before ${pattern}:\n${text}`));
        };
        waiting.add(look);
        look();
      }),
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return ended;
    },
  };
}

/** A folder of its own with configuration and bots; removed with all its processes at the end. */
export class Stage {
  readonly folder: string;
  readonly #running: Running[] = [];
  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'usher-journey-'));
    await mkdir(join(folder, 'bots'));
    await mkdir(join(folder, 'config'));
    return new Stage(folder);
  }

  async bot(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, 'bots', `${name}.yaml`), text);
  }

  /** Writes `config/usher.yaml` for the platform at this address; quick polls, free ports, short grace. */
  async configure(baseUrl: string, more: Record<string, unknown> = {}): Promise<void> {
    const configuration = {
      platform: { baseUrl, applicationId: 'demo', secret: '${USHER_SECRET}' },
      webhooks: { port: 0 },
      polling: {
        budget: '200/s',
        rooms: { every: '500ms' },
        channels: { every: '500ms' },
        members: { min: '100ms', max: '300ms' },
        messages: { min: '50ms', max: '200ms' },
      },
      egress: { deadline: '2s', grace: '3s' },
      console: { port: 0, token: '${USHER_CONSOLE_TOKEN}' },
      data: './data',
      bots: '../bots',
      plugins: join(root, 'plugins'),
      ...more,
    };
    await writeFile(join(this.folder, 'config', 'usher.yaml'), stringify(configuration));
  }

  /** Starts `usher` with these arguments; its files may be limited in size, in the shell's blocks. */
  run(
    args: readonly string[],
    env: Record<string, string> = {},
    limits: { readonly fileSizeBlocks?: number } = {},
  ): Running {
    const { fileSizeBlocks } = limits;
    const command = [process.execPath, usher, ...args];
    if (fileSizeBlocks === undefined) return this.start(command, env);
    return this.start(['sh', '-c', `ulimit -S -f ${fileSizeBlocks}; exec "$@"`, 'sh', ...command], env);
  }

  /** Starts any program in this folder, with what `usher` finds in its environment. */
  start(command: readonly string[], env: Record<string, string> = {}): Running {
    const running = run(command, {
      cwd: this.folder,
      env: { USHER_SECRET: 'sandbox-secret', USHER_CONSOLE_TOKEN: TOKEN, ...env },
    });
    this.#running.push(running);
    return running;
  }

  async sandbox(args: readonly string[] = []): Promise<Sandbox> {
    const running = this.run(['sandbox', '--port', '0', ...args]);
    const match = await running.prints(/http:\/\/127\.0\.0\.1:\d+/);
    return new Sandbox(match[0], running);
  }

  async daemon(): Promise<Daemon> {
    const running = this.run(['start']);
    await running.prints(/usher is ready/);
    const line =
      running
        .output()
        .split('\n')
        .find((text) => text.includes('usher is ready')) ?? '';
    const { webhooks, console } = JSON.parse(line) as { webhooks: string; console: string }; // the ready line's contract
    return { running, webhooks, console };
  }

  async endAll(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.end('SIGKILL')));
  }

  async close(): Promise<void> {
    await this.endAll();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export const TOKEN = 'journey-token-0123456789';

export interface Daemon {
  readonly running: Running;
  readonly webhooks: string;
  readonly console: string;
}

type Json = Record<string, unknown>;

/** The sandbox's control API and what it has seen. */
export class Sandbox {
  readonly baseUrl: string;
  readonly running: Running;
  constructor(baseUrl: string, running: Running) {
    this.baseUrl = baseUrl;
    this.running = running;
  }

  async control<T = Json>(method: string, verb: string, body?: Json): Promise<T> {
    const response = await fetch(`${this.baseUrl}/__sandbox/${verb}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${verb}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as T; // the control API's contract
  }

  async api<T = Json>(method: string, path: string): Promise<T> {
    const authorization = `Basic ${Buffer.from('demo:sandbox-secret').toString('base64')}`;
    const response = await fetch(`${this.baseUrl}/svc${path}`, { method, headers: { authorization } });
    return (await response.json()) as T; // the interface's contract
  }
}

/** Asks again until the check holds; its last failure is what is told when it never does. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 15_000): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
