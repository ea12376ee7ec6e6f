import { isIPv6 } from 'node:net';
import type { Clock } from '../engine/ports.ts';

/** So many wrong tokens an address may show before it has to wait. */
const TRIES = 10;
/** One more for each so many ms; a token that is not trivial is not found at this pace. */
const ONE_MORE_MS = 6_000;
/** Addresses that are remembered; past it the one that was quiet for longest is forgotten. */
const MOST_ADDRESSES = 10_000;

/** Who showed wrong tokens, by address: guessing is slowed, and only for the one who guesses. */
export interface WrongTokens {
  /** How long the address has to wait until a token of it is looked at, in ms; 0 when it need not. */
  readonly waitMs: (address: string | undefined) => number;
  readonly add: (address: string | undefined) => void;
}

/** Keeps at most a fixed number of addresses; IPv6 counts by the network (/64), which is what one host has. */
export function createWrongTokens(clock: Clock): WrongTokens {
  /** When all tries of an address are back, on the monotonic clock. */
  const restedAt = new Map<string, number>();
  return {
    waitMs(address) {
      const behind = (restedAt.get(networkOf(address)) ?? 0) - clock.monotonic();
      return Math.max(0, behind - (TRIES - 1) * ONE_MORE_MS);
    },
    add(address) {
      const key = networkOf(address);
      const rested = Math.max(restedAt.get(key) ?? 0, clock.monotonic()) + ONE_MORE_MS;
      restedAt.delete(key);
      restedAt.set(key, rested);
      if (restedAt.size <= MOST_ADDRESSES) return;
      const oldest = restedAt.keys().next();
      if (oldest.done !== true) restedAt.delete(oldest.value);
    },
  };
}

function networkOf(address = ''): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
