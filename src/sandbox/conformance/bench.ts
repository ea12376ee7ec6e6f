import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Channel, OperationName, Room } from '../../platform/index.ts';
import { operations } from '../../platform/index.ts';
import { fits, hold } from './judge.ts';
import type { Answer } from './wire.ts';
import { send } from './wire.ts';

export interface BenchOptions {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly secret: string;
  readonly pathPrefix: string;
  readonly videoPrefix: string;
  readonly headerPrefix: string;
  readonly timeoutMs: number;
}

/** What a check sends; credentials go where the operations table wants them. */
export interface BenchCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** In place of a JSON body, as it stands. */
  readonly rawBody?: string;
  readonly secret?: string;
}

/** The place of one room or channel in control requests. */
export type PlaceId = { readonly roomId: string } | { readonly channelId: string };

/** Sends requests by the names of the operations table, makes what a check needs, and takes it away again. */
export class Bench {
  readonly options: BenchOptions;
  readonly #made: (() => Promise<unknown>)[] = [];

  constructor(options: BenchOptions) {
    this.options = options;
  }

  call(name: OperationName, call: BenchCall = {}): Promise<Answer> {
    const operation = operations[name];
    const { applicationId, baseUrl, pathPrefix, videoPrefix, timeoutMs } = this.options;
    const secret = call.secret ?? this.options.secret;
    const params: Readonly<Record<string, string>> = { applicationId, ...call.params };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
      encodeURIComponent(params[param] ?? `no-such-${param}`),
    );
    const query = Object.entries(call.query ?? {})
      .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
      .join('&');
    const prefix = operation.prefix === 'svc' ? pathPrefix : videoPrefix;
    const headers: Record<string, string> = {
      accept: operation.prefix === 'video' ? '*/*' : 'application/json',
    };
    let body: string | undefined;
    if (operation.authentication === 'body')
      body = JSON.stringify({ applicationId, secret, ...(call.body === undefined ? {} : Object(call.body)) });
    else {
      if (operation.authentication !== 'streamToken')
        headers.authorization = `Basic ${Buffer.from(`${applicationId}:${secret}`).toString('base64')}`;
      if (operation.request !== null) body = JSON.stringify(call.body ?? {});
    }
    body = call.rawBody ?? body;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const address = `${baseUrl}${prefix}${path}${query === '' ? '' : `?${query}`}`;
    return send(operation.method, address, { headers, timeoutMs, ...(body === undefined ? {} : { body }) });
  }

  get(address: string): Promise<Answer> {
    return send('GET', address, { timeoutMs: this.options.timeoutMs });
  }

  /** A request to the sandbox's control API. */
  async control<S extends z.ZodType>(
    method: string,
    verb: string,
    body: object,
    schema: S,
  ): Promise<z.output<S>> {
    const answer = await send(method, `${this.options.baseUrl}/__sandbox/${verb}`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: this.options.timeoutMs,
    });
    return fits(answer, schema);
  }

  /** A name that nothing else has. */
  name(): string {
    return `conformance-${randomBytes(6).toString('hex')}`;
  }

  async room(type: Room['type'] = 'MultiPartyChat'): Promise<Room> {
    const alias = this.name();
    const answer = await this.call('createRoom', {
      body: { room: { alias, name: alias, description: 'made by the conformance suite', options: [], type } },
    });
    const { room } = fits(answer, operations.createRoom.response.schema);
    this.later(() => this.call('deleteRoom', { params: { roomId: room.roomId } }));
    return room;
  }

  async channel(): Promise<Channel> {
    const alias = this.name();
    const answer = await this.call('createChannel', {
      body: { channel: { alias, name: alias, description: 'made by the conformance suite', options: [] } },
    });
    const { channel } = fits(answer, operations.createChannel.response.schema);
    this.later(() => this.call('deleteChannel', { params: { channelId: channel.channelId } }));
    return channel;
  }

  async publish(
    place: PlaceId,
    stream: { readonly capabilities?: readonly string[]; readonly sessionId?: string } = {},
  ): Promise<{ streamId: string; sessionId: string }> {
    return this.control(
      'POST',
      'streams',
      { ...place, ...stream },
      z.object({ streamId: z.string(), sessionId: z.string() }),
    );
  }

  async fault(rule: object): Promise<void> {
    const { id } = await this.control('POST', 'faults', rule, z.object({ id: z.string() }));
    this.later(() => this.control('DELETE', 'faults', { id }, z.object({})));
  }

  /** Asks again until it holds or patience ends: playlists and notifications take their time. */
  async eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
    const until = Date.now() + this.options.timeoutMs;
    for (;;) {
      const found = await ask();
      if (found !== undefined) return found;
      hold(Date.now() < until, `${what} did not happen within ${this.options.timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Runs when the check is over. */
  later(undo: () => Promise<unknown>): void {
    this.#made.push(undo);
  }

  /** Takes away what was made, newest first; what is gone already is no failure. */
  async cleanUp(): Promise<void> {
    for (const undo of this.#made.splice(0).toReversed()) await undo().catch(() => undefined);
  }
}
