import type { z } from 'zod';
import type { PlaceFacts } from '../domain/place.ts';
import type { Scope } from '../plugin/bot.ts';
import { anyGlob } from './glob.ts';
import type { scopeOption } from './scope-option.ts';
import { compileTags } from './tag-filter.ts';

type ScopeOptions = z.infer<typeof scopeOption>;

/**
 * Globs are held against alias, name and id. A scope that names rooms or types alone has no channels in it, one that
 * names channels alone no rooms, one that names neither has all places.
 */
export function compileScope({ rooms, types, channels, tags }: ScopeOptions): Scope {
  const places = rooms ?? types ?? channels;
  const roomNamed = rooms && anyGlob(rooms);
  const channelNamed = channels && anyGlob(channels);
  const fits = (named: ((text: string) => boolean) | undefined, { alias, name, id }: PlaceFacts): boolean =>
    named === undefined || named(alias) || named(name) || named(id);
  return {
    covers: (place) => {
      if (places === undefined) return true;
      if (place.kind === 'channel') return channels !== undefined && fits(channelNamed, place);
      if (rooms === undefined && types === undefined) return false;
      return (
        (types === undefined || (place.type !== undefined && types.includes(place.type))) &&
        fits(roomNamed, place)
      );
    },
    ...(tags && { tags: compileTags(tags) }),
  };
}

/** What lies in both. */
export function narrowScope(outer: Scope, inner: Scope): Scope {
  const tags = [outer.tags, inner.tags].filter((one) => one !== undefined);
  return {
    covers: (place) => outer.covers(place) && inner.covers(place),
    ...(tags.length > 0 && { tags: (given: readonly string[]) => tags.every((one) => one(given)) }),
  };
}

/** Kinds of place that a scope can have in it at all. */
export const kindsIn = ({ rooms, types, channels }: ScopeOptions): readonly PlaceFacts['kind'][] =>
  rooms === undefined && types === undefined && channels === undefined
    ? ['room', 'channel']
    : [
        ...(rooms !== undefined || types !== undefined ? (['room'] as const) : []),
        ...(channels !== undefined ? (['channel'] as const) : []),
      ];
