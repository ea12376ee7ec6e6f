/** Objects as the platform shows them, for tests. */
export const ROOM = {
  roomId: 'us-northeast#app#lobby.x1',
  alias: 'lobby',
  applicationId: 'app',
  name: 'Lobby',
  description: '',
  type: 'MultiPartyChat',
  streamKey: 'key-c4n4ry',
  created: '2021-04-08T19:46:39.877Z',
  lastUpdate: '2021-04-08T19:46:39.877Z',
  estimatedSize: null,
  options: [],
};
const { roomId: _, ...place } = ROOM;
export const CHANNEL = { ...place, channelId: 'us-northeast#app#tv.x1', type: 'Channel', estimatedSize: 3 };

export const MEMBER = {
  sessionId: 'us#s1',
  screenName: 'Ada',
  role: 'Participant',
  state: 'Active',
  lastUpdate: 1_617_911_199,
  streams: [{ type: 'User', uri: 'pcast://h/us#1.a', audioState: 'TrackEnabled', videoState: 'TrackEnded' }],
};

export const message = (messageId: string, mimeType = 'text/plain') => ({
  messageId,
  timestamp: 1_617_911_199_877,
  deletedTimestamp: 0,
  from: { screenName: 'Ada', role: 'Participant', lastUpdate: 1_617_911_199 },
  mimeType,
  message: 'hi',
  tags: [],
});

export const PLAYLISTS = {
  playlists: [
    {
      name: 'all',
      type: 'HLS',
      uri: 'https://h/p.m3u8',
      isPrimary: true,
      isVariant: false,
      isProtected: false,
      isEncrypted: false,
      info: { bitrate: null, height: 720, framesPerSecond: null },
    },
  ],
  streamInfo: { startTime: '2021-04-08T19:46:39.877Z', endTime: null },
};
