/** Whether a stream gets live playlists (interface.md, "Stream capabilities"). */
export const isStreaming = (capabilities: readonly string[]): boolean =>
  capabilities.includes('streaming') || capabilities.includes('streaming-lite');

/** Whether it is kept for on-demand playback. */
export const isPersisted = (capabilities: readonly string[]): boolean =>
  capabilities.includes('on-demand') || capabilities.includes('on-demand-lite');
