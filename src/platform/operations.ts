import type { z } from 'zod';
import type { Operation } from './operation.ts';
import { channelOperations } from './operations/channels.ts';
import { mediaOperations } from './operations/media.ts';
import { messageOperations } from './operations/messages.ts';
import { roomOperations } from './operations/rooms.ts';
import { streamOperations } from './operations/streams.ts';

/** All operations of interface.md by name, in the order of their numbers. */
export const operations = {
  ...streamOperations,
  ...channelOperations,
  ...roomOperations,
  ...messageOperations,
  ...mediaOperations,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
type Table = typeof operations;

/** In the order of their numbers. */
export const OPERATION_NAMES = Object.keys(operations) as readonly OperationName[]; // Object.keys widens the table's keys

type Flat<T> = { [K in keyof T]: T[K] };
/** An object schema without fields infers an index signature; it stands for no fields here. */
type Fields<T> = string extends keyof T ? unknown : T;
type Body<N extends OperationName> = Table[N]['request'] extends z.ZodObject
  ? Fields<z.input<Table[N]['request']>>
  : unknown;

/** Path parameters, query and body of an operation in one object; the client adds application and secret. */
export type OperationInput<N extends OperationName> = Flat<
  Omit<Fields<z.input<Table[N]['params']>>, 'applicationId'> & Fields<z.output<Table[N]['query']>> & Body<N>
>;

interface KindResults {
  readonly count: PublisherCount;
  readonly manifest: { readonly body: string; readonly contentType: string };
  readonly redirect: { readonly location: string };
}

/** `met: false` is the answer 412: fewer publishers than `failIfLess`. */
export type PublisherCount = { readonly met: true; readonly count: number } | { readonly met: false };

/** What a success of an operation gives: its JSON, a count, a playlist, or where the playlist is. */
export type OperationResult<N extends OperationName> = Table[N]['response'] extends {
  readonly kind: 'json';
  readonly schema: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : Table[N]['response']['kind'] extends keyof KindResults
    ? KindResults[Table[N]['response']['kind']]
    : never;
