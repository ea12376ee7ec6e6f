import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isLoopback } from '../platform/loopback.ts';
import { kindOfAddress, mayReach } from './notice-addresses.ts';

/** A notice's address leads where none may go. The message holds no part of the address: it is a secret. */
export class RefusedAddressError extends Error {}

export interface NoticeDispatcherOptions {
  /** Lets notices go to private addresses, also by plain HTTP. */
  readonly allowPrivate: boolean;
  /** All addresses of a name; the system's resolver by default. */
  readonly resolve?: (
    name: string,
    found: (error: Error | null, addresses?: readonly LookupAddress[]) => void,
  ) => void;
}

const CONNECT_MS = 10_000;

/**
 * How notices leave: over connections that are made only to addresses that were looked at, so that no second look-up
 * can lead elsewhere. This machine is reached where its own name says so; a name elsewhere may not point to it, nor into
 * a private network. Each connection carries one request: nothing is kept, nothing needs to be closed.
 */
export function createNoticeDispatcher(options: NoticeDispatcherOptions): Dispatcher {
  const { allowPrivate, resolve = systemResolve } = options;
  const secured = connectorFor(true);
  const plain = connectorFor(false);

  function connectorFor(secure: boolean) {
    const refused = (name: string, address: string): boolean => {
      const kind = kindOfAddress(address);
      return isLoopback(name) ? kind !== 'loopback' : !mayReach(kind, { secure, allowPrivate });
    };
    const lookup: LookupFunction = (name, { all }, callback) => {
      // The system's resolver gives no addresses, not even none, where it fails.
      resolve(name, (error, addresses = []) => {
        const [first] = addresses;
        if (error || !first) return callback(error ?? new Error('no address'), '');
        if (addresses.some(({ address }) => refused(name, address)))
          return callback(new RefusedAddressError(whyRefused(secure)), '');
        if (all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      });
    };
    const connect = buildConnector({ lookup, timeout: CONNECT_MS });
    const connector: buildConnector.connector = (to, callback) => {
      // An address stands for itself: nobody looks it up.
      const bare = to.hostname.replace(/^\[|\]$/g, '');
      if (isIP(bare) > 0 && refused(bare, bare)) callback(new RefusedAddressError(whyRefused(secure)), null);
      else connect(to, callback);
    };
    return connector;
  }

  return new Agent({
    connect: (to, callback) => (to.protocol === 'https:' ? secured : plain)(to, callback),
    pipelining: 0,
  });
}

const whyRefused = (secure: boolean): string =>
  secure
    ? 'it leads to a private or reserved address, which egress.allowPrivate may permit'
    : 'plain HTTP goes to this machine only, or with egress.allowPrivate to private addresses: use https';

function systemResolve(
  name: string,
  found: (error: Error | null, addresses?: readonly LookupAddress[]) => void,
): void {
  systemLookup(name, { all: true }, found);
}
