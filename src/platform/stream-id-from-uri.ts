/** The scheme, the host, and then the stream id up to the query; the id's raw `#` is part of it. */
const STREAM_URI = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/([^?]+)/i;

/**
 * The stream id of a member stream's `uri`, undefined where there is none. `URL` takes the raw `#` in it for a fragment
 * and cuts the id there. A deployment with other URIs gives its own `pattern`, whose first group is the id.
 */
export const streamIdFromUri = (uri: string, pattern: RegExp = STREAM_URI): string | undefined =>
  pattern.exec(uri)?.[1];
