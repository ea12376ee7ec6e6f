import type { PlaceKind } from '../../domain/place.ts';
import type { Reply } from '../http/reply.ts';
import { marked, ok, refuse, text } from '../http/reply.ts';
import type { PlaceDraft } from '../world/create-place.ts';
import { createPlace, deletePlace, placesOf } from '../world/create-place.ts';
import { fork } from '../world/fork.ts';
import { kill } from '../world/kill.ts';
import { memberObject, placeAnswer } from './shapes.ts';
import type { LiveStream, Place, World } from '../world/world.ts';

/** What rooms and channels have in common; the interface spells their 404 in two ways. */

export type NotFoundSpelling = 'not-found' | 'not found';

/** Finds the place and goes on, else answers 404; an alias in place of an id is refused with a hint. */
export function withPlace(
  world: World,
  kind: PlaceKind,
  id: string,
  spelling: NotFoundSpelling,
  go: (place: Place) => Reply,
): Reply {
  const place = placesOf(world, kind).get(id);
  if (place !== undefined) return go(place);
  const byAlias = placesOf(world, kind).byAlias(id);
  if (byAlias === undefined) return refuse(404, spelling);
  return refuse(
    404,
    spelling,
    { hint: `This is an alias; use the ${kind}Id ${byAlias.id}.` },
    'alias-in-path',
  );
}

export function create(world: World, kind: PlaceKind, draft: PlaceDraft): Reply {
  const result = createPlace(world, kind, draft);
  return 'made' in result
    ? ok(placeAnswer(world, result.made))
    : refuse(409, 'already-exists', placeAnswer(world, result.taken), 'existing-object');
}

export function remove(world: World, place: Place): Reply {
  const hadStreams = place.live.size > 0;
  deletePlace(world, place);
  return hadStreams ? ok({}, 'delete-ends-streams') : ok();
}

export function forkInto(
  world: World,
  [kind, destinationId, sourceId]: readonly [PlaceKind, string, string],
  body: {
    readonly streamTags?: readonly string[] | undefined;
    readonly streamCapabilities?: readonly string[] | undefined;
    readonly options?: readonly string[] | undefined;
  },
): Reply {
  if (destinationId === sourceId)
    return refuse(400, 'bad-request', { hint: 'Source and destination are the same.' }, 'fork-to-itself');
  return withPlace(world, kind, destinationId, 'not found', (destination) =>
    withPlace(world, kind, sourceId, 'not found', (source) => {
      const options = new Set(body.options);
      const members = fork(world, source, destination, {
        streamTags: body.streamTags ?? [],
        streamCapabilities: body.streamCapabilities ?? [],
        force: options.has('force'),
        additive: options.has('additive'),
        keepStreams: options.has('keep-streams'),
      });
      return ok({ members: members.map(memberObject) }, 'fork-started', 'fork-lifetime');
    }),
  );
}

export function killAll(
  world: World,
  place: Place,
  body: { readonly reason?: string | undefined; readonly options?: readonly string[] | undefined },
): Reply {
  const killed = kill(world, place, {
    reason: body.reason ?? '',
    keepStreams: body.options?.includes('keep-streams') ?? false,
  });
  return ok({ killedMembers: killed.map(memberObject) }, 'kill-publishers');
}

/** interface.md, endpoint 15: the number as text, or 412 by `short`. */
export function countPublishers(
  place: Place,
  query: {
    readonly failIfLess?: number | undefined;
    readonly withStreams?: number | undefined;
    readonly withScreenName?: string | undefined;
  },
  short: Reply,
): Reply {
  let count = 0;
  for (const member of place.members.values())
    if (
      member.streams.length >= Math.max(1, query.withStreams ?? 1) &&
      (query.withScreenName === undefined || member.screenName === query.withScreenName)
    )
      count++;
  return count < (query.failIfLess ?? 0) ? short : text(200, String(count));
}

/** The stream that the manifest of a place refers to: the newest that is live. */
export function latestStream(place: Place): LiveStream | undefined {
  let latest: LiveStream | undefined;
  for (const stream of place.live) latest = stream;
  return latest;
}

/** An answer for everybody, without HTTP Basic. */
export const open = (reply: Reply): Reply => marked(reply, 'manifest-access');
