import type { ZodType } from 'zod';
import type { ActionType } from '../domain/action.ts';
import type { PlaceView } from '../domain/place-view.ts';
import { checkName, checkOptions, checkWords } from './check-definition.ts';
import { DefinitionError } from './definition-error.ts';
import type { DesiredResource, KeeperDefinition } from './definitions.ts';

/** What a keeper does unless it says otherwise: both kinds of resource, started, changed and stopped. */
const ALL_MEDIA: readonly ActionType[] = [
  'transcoding.start',
  'transcoding.stop',
  'composition.start',
  'composition.update',
  'composition.stop',
];

/**
 * A word for `keep`: says what ought to exist in a place, and the engine makes it so with exactly one resource for
 * each key, whatever notifications are lost, doubled or late. `grace` is none unless given.
 *
 * ```ts
 * export default defineKeeper({
 *   name: 'hls-for-everyone',
 *   mayDo: ['transcoding.start', 'transcoding.stop'],
 *   options: z.strictObject({ quality: z.enum(['sd', 'hd']).default('sd') }),
 *   desired: (room, { quality }) =>
 *     [...room.streams.values()].map((stream) => transcoding(stream.streamId, { type: 'HLS', quality })),
 * });
 * ```
 */
export function defineKeeper<O>(keeper: {
  readonly name: string;
  readonly mayDo?: readonly ActionType[];
  readonly options: ZodType<O>;
  readonly grace?: (options: NoInfer<O>) => { readonly startMs: number; readonly stopMs: number };
  readonly desired: (room: PlaceView, options: NoInfer<O>) => readonly DesiredResource[];
}): KeeperDefinition<O> {
  const mayDo = keeper.mayDo ?? ALL_MEDIA;
  checkName(keeper.name);
  checkWords(keeper.name, 'mayDo', mayDo, { mayBeEmpty: false });
  checkOptions(keeper.name, keeper.options);
  if (typeof keeper.desired !== 'function') throw new DefinitionError(keeper.name, 'give `desired`.');
  return Object.freeze({
    kind: 'keeper',
    name: keeper.name,
    mayDo,
    options: keeper.options,
    grace: keeper.grace ?? (() => ({ startMs: 0, stopMs: 0 })),
    desired: keeper.desired,
  });
}
