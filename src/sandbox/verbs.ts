import { messageExcess } from '../platform/index.ts';
import type { Channel, Message, PlatformMember, Room } from '../platform/index.ts';
import { channelObject, memberObject, roomObject } from './operations/shapes.ts';
import { SandboxError } from './sandbox-error.ts';
import type { PlaceChoice, VerbInput } from './verb-inputs.ts';
import { verbInputs } from './verb-inputs.ts';
import { post } from './world/chat.ts';
import type { PlaceDraft } from './world/create-place.ts';
import { createPlace } from './world/create-place.ts';
import { endStream } from './world/end-stream.ts';
import * as members from './world/members.ts';
import { publish } from './world/publish.ts';
import { readyNow } from './world/ready-playlists.ts';
import type { LiveStream, Place, PlaceMember, World } from './world/world.ts';

/** What people and devices do on a platform, as opposed to its admin interface. Unknown ids are a `SandboxError`. */
export interface Verbs {
  createRoom(input: VerbInput<'createRoom'>): Room;
  createChannel(input: VerbInput<'createChannel'>): Channel;
  join(input: VerbInput<'join'>): PlatformMember;
  leave(input: VerbInput<'leave'>): void;
  setState(input: VerbInput<'setState'>): PlatformMember;
  publish(input: VerbInput<'publish'>): { readonly streamId: string; readonly sessionId: string };
  end(input: VerbInput<'end'>): { readonly ended: readonly string[] };
  say(input: VerbInput<'say'>): Message;
  makePlaylistReady(input: VerbInput<'makePlaylistReady'>): void;
  /** The id of a place, undefined when there is none such. */
  findPlace(choice: PlaceChoice): string | undefined;
  /** Everybody in a place. */
  members(choice: PlaceChoice): readonly PlatformMember[];
  /** A session that nobody has yet. */
  newSession(): string;
}

export function createVerbs(world: World): Verbs {
  const make = (
    kind: 'room' | 'channel',
    draft: Omit<PlaceDraft, 'name'> & { name?: string | undefined },
  ): Place => {
    const alias = draft.alias === '' ? `${kind}-${world.ids.text(8)}` : draft.alias;
    const result = createPlace(world, kind, { ...draft, alias, name: draft.name ?? alias });
    if ('made' in result) return result.made;
    throw SandboxError.of('taken', `There is a ${kind} with this alias or name already: ${result.taken.id}.`);
  };
  return {
    createRoom: (input) => roomObject(world, make('room', verbInputs.createRoom.parse(input))),

    createChannel: (input) =>
      channelObject(world, make('channel', { ...verbInputs.createChannel.parse(input), type: 'Channel' })),

    join: (input) => memberObject(members.join(world, placeOf(world, input), draftOf(input))),

    leave(input) {
      for (const [place, member] of presences(world, input)) members.leave(world, place, member);
    },

    setState(input) {
      const found = presences(world, input);
      for (const [, member] of found) {
        members.change(world, member, draftOf(input));
        for (const stream of member.streams) {
          if (input.streamId !== undefined && input.streamId !== stream.streamId) continue;
          stream.audioState = input.audioState ?? stream.audioState;
          stream.videoState = input.videoState ?? stream.videoState;
        }
      }
      const [first] = found;
      if (first === undefined) throw unknown(`member with session "${input.sessionId}"`);
      return memberObject(first[1]);
    },

    publish(input) {
      const place = placeOf(world, input);
      const present = input.sessionId === undefined ? undefined : place.members.get(input.sessionId);
      const member = present ?? members.join(world, place, draftOf(input));
      const { capabilities, tags, type } = input;
      const stream = publish(world, place, member, {
        ...(capabilities === undefined ? {} : { capabilities }),
        ...(tags === undefined ? {} : { tags }),
        ...(type === undefined ? {} : { type }),
      });
      return { streamId: stream.streamId, sessionId: member.sessionId };
    },

    end(input) {
      const streams =
        input.streamId === undefined
          ? presences(world, { sessionId: input.sessionId ?? '' }).flatMap(([, member]) => [
              ...member.streams,
            ])
          : [streamOf(world, input.streamId)];
      for (const stream of streams) endStream(world, stream, input.reason ?? '');
      return { ended: streams.map((stream) => stream.streamId) };
    },

    say(input) {
      const { message, mimeType, tags } = verbInputs.say.parse(input);
      const place = placeOf(world, input);
      const member = input.sessionId === undefined ? undefined : place.members.get(input.sessionId);
      if (input.sessionId !== undefined && member === undefined && input.screenName === undefined)
        throw unknown(`member with session "${input.sessionId}"`);
      const from = {
        ...(input.sessionId === undefined ? {} : { sessionId: input.sessionId }),
        screenName: input.screenName ?? member?.screenName ?? 'somebody',
        role: input.role ?? member?.role ?? ('Participant' as const),
        lastUpdate: world.clock.now(),
      };
      const excess = messageExcess({ from, message, mimeType, tags });
      if (excess !== undefined)
        throw SandboxError.of(
          'invalid-request',
          `The ${excess.field} of this message has ${excess.bytes} bytes; at most ${excess.max} can be sent.`,
        );
      return { ...post(world, place, { from, message, mimeType, tags }), from, tags };
    },

    makePlaylistReady(input) {
      const { what, type } = verbInputs.makePlaylistReady.parse(input);
      readyNow(world, streamOf(world, input.streamId), what, type === undefined ? ['HLS', 'DASH'] : [type]);
    },

    findPlace: (choice) => lookUp(world, choice).place?.id,

    members: (choice) => Array.from(placeOf(world, choice).members.values(), memberObject),

    newSession: () => world.ids.session(),
  };
}

const unknown = (what: string): SandboxError => SandboxError.of('unknown-id', `There is no ${what}.`);

const draftOf = ({ sessionId, screenName, role, state }: VerbInput<'join'>): members.MemberDraft => ({
  ...(sessionId === undefined ? {} : { sessionId }),
  ...(screenName === undefined ? {} : { screenName }),
  ...(role === undefined ? {} : { role }),
  ...(state === undefined ? {} : { state }),
});

function streamOf(world: World, streamId: string): LiveStream {
  const stream = world.streams.get(streamId);
  if (stream === undefined) throw unknown(`stream "${streamId}"`);
  return stream;
}

/** What was asked for, if anything, and the place if there is one. */
function lookUp(
  world: World,
  choice: PlaceChoice,
): { readonly asked: string | undefined; readonly place: Place | undefined } {
  const { roomId, channelId, roomAlias, channelAlias } = choice;
  if (roomId !== undefined) return { asked: `room "${roomId}"`, place: world.rooms.get(roomId) };
  if (channelId !== undefined)
    return { asked: `channel "${channelId}"`, place: world.channels.get(channelId) };
  if (roomAlias !== undefined)
    return { asked: `room with alias "${roomAlias}"`, place: world.rooms.byAlias(roomAlias) };
  if (channelAlias !== undefined)
    return { asked: `channel with alias "${channelAlias}"`, place: world.channels.byAlias(channelAlias) };
  return { asked: undefined, place: undefined };
}

function chosenPlace(world: World, choice: PlaceChoice): Place | undefined {
  const { asked, place } = lookUp(world, choice);
  if (asked !== undefined && place === undefined) throw unknown(asked);
  return place;
}

function placeOf(world: World, choice: PlaceChoice): Place {
  const place = chosenPlace(world, choice);
  if (place !== undefined) return place;
  throw SandboxError.of('invalid-request', 'Say which place: roomId, channelId, roomAlias or channelAlias.');
}

/** Where the session is a member: in the chosen place, or wherever it is. */
function presences(world: World, who: PlaceChoice & { readonly sessionId: string }): [Place, PlaceMember][] {
  const chosen = chosenPlace(world, who);
  const places = chosen === undefined ? [...world.rooms.all(), ...world.channels.all()] : [chosen];
  const found = places.flatMap((place): [Place, PlaceMember][] => {
    const member = place.members.get(who.sessionId);
    return member === undefined ? [] : [[place, member]];
  });
  if (found.length === 0) throw unknown(`member with session "${who.sessionId}"`);
  return found;
}
