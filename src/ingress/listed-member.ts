import type { Member, MemberStream } from '../domain/member.ts';
import { type PlatformMember, type PlatformMemberStream, streamIdFromUri } from '../platform/index.ts';

const streamOf = (
  { uri, type, audioState, videoState }: PlatformMemberStream,
  pattern: RegExp | undefined,
): MemberStream[] => {
  const streamId = streamIdFromUri(uri, pattern);
  return streamId === undefined ? [] : [{ streamId, type, audio: audioState, video: videoState }];
};

/** A member as a list shows it, in our words; a stream whose `uri` holds no id is left out. */
export const listedMember = (member: PlatformMember, uriPattern?: RegExp): Member => ({
  sessionId: member.sessionId,
  screenName: member.screenName,
  role: member.role,
  state: member.state,
  streams: member.streams.flatMap((stream) => streamOf(stream, uriPattern)),
  lastUpdate: member.lastUpdate,
});
