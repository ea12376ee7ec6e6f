/** `http://host:port` of a listener of ours; an IPv6 address stands in brackets. */
export const httpOrigin = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
