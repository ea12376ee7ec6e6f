import { z } from 'zod';
import { MEMBER_STATES, ROLES, STREAM_TYPES, TRACK_STATES } from '../../domain/member.ts';
import { unixTime } from './unix-time.ts';

export const role = z.enum(ROLES);
const trackState = z.enum(TRACK_STATES);

/** interface.md, "Member stream object"; cut the stream id out of `uri` with `streamIdFromUri`, never with `URL`. */
export const memberStream = z.object({
  type: z.enum(STREAM_TYPES),
  uri: z.string(),
  audioState: trackState,
  videoState: trackState,
});
export type PlatformMemberStream = z.output<typeof memberStream>;

/** interface.md, "Member object"; `lastUpdate` in ms since 1970. */
export const member = z.object({
  sessionId: z.string(),
  screenName: z.string(),
  role,
  streams: z.array(memberStream),
  state: z.enum(MEMBER_STATES),
  lastUpdate: unixTime,
});
export type PlatformMember = z.output<typeof member>;
