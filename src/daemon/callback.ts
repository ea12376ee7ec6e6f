/** The callback object of the interface (endpoint 7), and the `endpoint` that the platform should answer with. */
export interface Callback {
  readonly callback: {
    readonly protocol: 'http' | 'https';
    readonly host: string;
    readonly port: number;
    readonly method: 'POST';
    readonly path: string;
    readonly query: string;
  };
  readonly endpoint: string;
}

/** What to register for a public address. The text is cut by hand: `URL` rewrites paths and queries. */
export function callbackFor(publicUrl: string): Callback {
  const url = new URL(publicUrl);
  const protocol = url.protocol === 'https:' ? 'https' : 'http';
  const target = /^https?:\/\/[^/?#]*([^#]*)/i.exec(publicUrl)?.[1] ?? '/';
  const [path = '', ...query] = target.split('?');
  const callback = {
    protocol,
    host: url.hostname,
    port: url.port === '' ? (protocol === 'https' ? 443 : 80) : Number(url.port),
    method: 'POST',
    path: path === '' ? '/' : path,
    query: query.join('?'),
  } as const;
  return { callback, endpoint: endpointOf(callback) };
}

const endpointOf = ({ method, protocol, host, port, path, query }: Callback['callback']): string =>
  `${method} ${protocol}://${host}:${port}${path}${query === '' ? '' : `?${query}`}`;

/** Whether the platform stored what it was told; an empty query may be shown as a lone `?`. */
export const sameEndpoint = (answered: string, expected: string): boolean =>
  answered.trim().replace(/\?$/, '') === expected;
