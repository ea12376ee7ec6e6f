/** The headers of a signed notification (interface.md, "Authentication" 6); `prefix` differs between deployments. */
export interface SignatureHeaders {
  readonly authorization: 'authorization';
  readonly contentType: 'content-type';
  readonly contentSha256: string;
  readonly timestamp: string;
}

export const DEFAULT_HEADER_PREFIX = 'X-Service';

/** In lower case, as Node gives them. */
export const signatureHeaders = (prefix: string = DEFAULT_HEADER_PREFIX): SignatureHeaders => ({
  authorization: 'authorization',
  contentType: 'content-type',
  contentSha256: `${prefix.toLowerCase()}-content-sha256`,
  timestamp: `${prefix.toLowerCase()}-timestamp`,
});
