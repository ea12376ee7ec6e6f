import { onTestFinished } from 'vitest';
import type { Received } from '../../src/sandbox/conformance/receiver.ts';
import { startReceiver } from '../../src/sandbox/conformance/receiver.ts';
import type { Answer } from '../../src/sandbox/conformance/wire.ts';
import { send } from '../../src/sandbox/conformance/wire.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';

export const BASIC = `Basic ${Buffer.from('demo:sandbox-secret').toString('base64')}`;
export const enc = encodeURIComponent;

/** JSON that an expectation looks into: a wrong path is a failed expectation. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

interface CallOptions {
  readonly authorization?: string | null;
  readonly raw?: string;
}

export interface Stage {
  readonly sandbox: Sandbox;
  /** A request to the platform below /svc, with good credentials. */
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer & { json: Loose }>;
  control(method: string, path: string, body?: object): Promise<Answer & { json: Loose }>;
  /** Registers a receiver that answers with these statuses, the last for ever. */
  receive(
    statuses?: readonly number[],
    callback?: object,
  ): Promise<{ received: readonly Received[]; bodies(): Loose[] }>;
}

/** A sandbox under a virtual clock, closed when the test is over. */
export async function stage(options: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ clock: 'virtual', ...options });
  onTestFinished(() => sandbox.close());
  const ask = async (
    method: string,
    address: string,
    body: unknown,
    { authorization = BASIC, raw }: CallOptions,
  ) => {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return send(method, address, {
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
      timeoutMs: 5_000,
    });
  };
  return {
    sandbox,
    call: (method, path, body, options = {}) => ask(method, `${sandbox.baseUrl}/svc${path}`, body, options),
    control: (method, path, body) =>
      ask(method, `${sandbox.baseUrl}/__sandbox/${path}`, body, { authorization: null }),
    async receive(statuses = [200], callback = {}) {
      const receiver = await startReceiver((nth) => statuses[Math.min(nth, statuses.length) - 1] ?? 200);
      onTestFinished(() => receiver.close());
      await ask(
        'PUT',
        `${sandbox.baseUrl}/svc/application/demo/callback`,
        { callback: { host: '127.0.0.1', port: receiver.port, path: '/hook', ...callback } },
        {},
      );
      return {
        received: receiver.received,
        bodies: () => receiver.received.map((one) => (one.body === '' ? null : JSON.parse(one.body))),
      };
    },
  };
}
