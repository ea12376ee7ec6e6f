import type { OperationName, operations } from '../../platform/index.ts';
import type { z } from 'zod';
import type { Reply } from '../http/reply.ts';
import type { Platform } from '../platform-state.ts';

type Table = typeof operations;

/** A request that passed authentication and shape. */
export interface Call<N extends OperationName> {
  readonly params: z.output<Table[N]['params']>;
  readonly query: z.output<Table[N]['query']>;
  readonly body: Table[N]['request'] extends z.ZodObject ? z.output<Table[N]['request']> : undefined;
}

/** One function for each operation; a missing one does not compile. */
export type Handlers<N extends OperationName = OperationName> = {
  readonly [K in N]: (platform: Platform, call: Call<K>) => Reply;
};
