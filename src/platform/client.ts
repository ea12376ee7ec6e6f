import { inspect } from 'node:util';
import { createRequestBuilder } from './build-request.ts';
import { readClientSettings, type PlatformClientOptions } from './client-settings.ts';
import { systemTime } from './client-time.ts';
import { createOrGet } from './create-or-get.ts';
import { messagePages, type MessageWalk } from './message-pages.ts';
import {
  OPERATION_NAMES,
  type OperationInput,
  type OperationName,
  type OperationResult,
} from './operations.ts';
import { performCall, type CallContext, type CallOptions } from './perform-call.ts';
import { createPoolTransport } from './pool-transport.ts';
import { createRetryBudget, DEFAULT_RETRY_BUDGET } from './retry-budget.ts';
import { DEFAULT_RETRY_POLICY } from './retry-policy.ts';
import type { Message } from './schemas/message.ts';
import type { Channel, ChannelToCreate, Room, RoomToCreate } from './schemas/place.ts';

type Method<N extends OperationName> =
  Partial<OperationInput<N>> extends OperationInput<N>
    ? (input?: OperationInput<N>, options?: CallOptions) => Promise<OperationResult<N>>
    : (input: OperationInput<N>, options?: CallOptions) => Promise<OperationResult<N>>;

/** Every operation of the table as a method; each rejects with a `PlatformError` only. */
export type PlatformOperations = { readonly [N in OperationName]: Method<N> };

/**
 * The platform, typed. Safe to print: it shows its address and application, never the secret.
 *
 * @example
 * const client = createPlatformClient({ baseUrl: 'http://127.0.0.1:8090', applicationId: 'demo', secret });
 * const { room } = await client.createOrGetRoom({ alias: 'lobby', name: 'Lobby', description: '', options: [] });
 * for await (const message of client.messages(room.roomId)) console.log(message.message);
 * await client.close();
 */
export interface PlatformClient extends PlatformOperations {
  /** Messages one by one; see `MessageWalk` for bounds and direction. */
  messages(roomId: string, walk?: MessageWalk): AsyncIterable<Message>;
  /** Throws `ConflictError` when another room has the name. */
  createOrGetRoom(
    room: RoomToCreate,
    options?: CallOptions,
  ): Promise<{ readonly room: Room; readonly created: boolean }>;
  /** Throws `ConflictError` when another channel has the name. */
  createOrGetChannel(
    channel: ChannelToCreate,
    options?: CallOptions,
  ): Promise<{ readonly channel: Channel; readonly created: boolean }>;
  /** Resolves when the requests under way have ended; later calls fail as not sent. */
  close(): Promise<void>;
}

/** Throws `ClientOptionsError` with every fault of the options; connects at the first call. */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const settings = readClientSettings(options);
  const { baseUrl, applicationId, secret, deadlineMs, connections, maxResponseBytes } = settings;
  const basePath = baseUrl.pathname.replace(/\/+$/, '');
  const buildRequest = createRequestBuilder({
    applicationId,
    secret,
    compositionTags: settings.compositionTags,
    pathPrefix: basePath + settings.pathPrefix,
    videoPrefix: basePath + settings.videoPrefix,
  });
  const context: CallContext = {
    transport:
      options.transport ??
      // A connection that is not there at half the deadline proves that nothing was sent.
      createPoolTransport(baseUrl, { connections, connectMs: deadlineMs / 2, maxResponseBytes }),
    time: options.time ?? systemTime,
    random: options.random ?? Math.random,
    deadlineMs,
    policy: { ...DEFAULT_RETRY_POLICY, ...options.retry },
    budget: createRetryBudget({ ...DEFAULT_RETRY_BUDGET, ...options.retryBudget }),
    hooks: options.hooks ?? {},
    secrets: [secret, Buffer.from(`${applicationId}:${secret}`).toString('base64')],
  };

  const methods = Object.fromEntries(
    OPERATION_NAMES.map((name) => [
      name,
      async (input: Readonly<Record<string, unknown>> = {}, callOptions: CallOptions = {}) =>
        performCall(name, buildRequest(name, input), context, callOptions),
    ]),
  );
  // One method per name of the table; each result was read by the response schema that its type is inferred from.
  const call = methods as unknown as PlatformOperations;

  const client: PlatformClient = {
    ...call,
    messages: (roomId, walk = {}) => messagePages(call.listMessages, roomId, walk),
    async createOrGetRoom(room, callOptions) {
      const { place, created } = await createOrGet<Room>(room, {
        create: async () => (await call.createRoom({ room }, callOptions)).room,
        existing: ({ existing }) => (existing?.kind === 'room' ? existing.room : undefined),
        find: async () => (await call.listRooms({ type: room.type }, callOptions)).rooms,
      });
      return { room: place, created };
    },
    async createOrGetChannel(channel, callOptions) {
      const { place, created } = await createOrGet<Channel>(channel, {
        create: async () => (await call.createChannel({ channel }, callOptions)).channel,
        existing: ({ existing }) => (existing?.kind === 'channel' ? existing.channel : undefined),
        find: async () => (await call.listChannels({}, callOptions)).channels,
      });
      return { channel: place, created };
    },
    close: () => context.transport.close(),
  };
  const shown = `PlatformClient { baseUrl: ${inspect(baseUrl.href)}, applicationId: ${inspect(applicationId)} }`;
  return Object.defineProperty(client, inspect.custom, { value: () => shown, enumerable: false });
}
