import type { Channel, PlatformMember, Room, StreamInfo } from '../../platform/index.ts';
import { estimatedSize } from '../world/estimated-size.ts';
import type { LiveStream, Place, PlaceMember, World } from '../world/world.ts';

const STREAM_HOST = 'sandbox.local';

/** With the raw `#` of the id, as seen in real member lists: `pcast://host/<streamId>`. */
const streamUri = (stream: LiveStream): string => `pcast://${STREAM_HOST}/${stream.streamId}`;

const time = (ms: number): string => new Date(ms).toISOString();

const placeFields = (world: World, place: Place, inList: boolean) => ({
  alias: place.alias,
  applicationId: world.applicationId,
  name: place.name,
  description: place.description,
  streamKey: place.streamKey,
  created: time(place.created),
  lastUpdate: time(place.lastUpdate),
  estimatedSize: inList ? null : estimatedSize(place, world.clock.now()),
  options: [...place.options],
});

/** interface.md, "Channel object"; in lists the size is null. */
export const channelObject = (world: World, place: Place, inList = false): Channel => ({
  channelId: place.id,
  type: 'Channel',
  ...placeFields(world, place, inList),
});

/** interface.md, "Room object"; in lists the size is null. */
export const roomObject = (world: World, place: Place, inList = false): Room => ({
  roomId: place.id,
  type: place.type === 'Channel' ? 'MultiPartyChat' : place.type, // no room is of type Channel: endpoint 17 refuses it
  ...placeFields(world, place, inList),
  ...(place.ingestOptions === undefined ? {} : { ingestOptions: place.ingestOptions }),
});

/** Under the name that the interface gives it in an answer. */
export const placeAnswer = (world: World, place: Place): { room: Room } | { channel: Channel } =>
  place.kind === 'room' ? { room: roomObject(world, place) } : { channel: channelObject(world, place) };

/** interface.md, "Member object". */
export const memberObject = (member: PlaceMember): PlatformMember => ({
  sessionId: member.sessionId,
  screenName: member.screenName,
  role: member.role,
  streams: member.streams.map((stream) => ({
    type: stream.type,
    uri: streamUri(stream),
    audioState: stream.audioState,
    videoState: stream.videoState,
  })),
  state: member.state,
  lastUpdate: member.lastUpdate,
});

/** interface.md, "Stream metadata object". */
export const streamInfoObject = (stream: LiveStream): StreamInfo => ({
  startTime: time(stream.startedAt),
  endTime: stream.endedAt === undefined ? null : time(stream.endedAt),
});
