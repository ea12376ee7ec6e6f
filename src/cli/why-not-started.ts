import { describeError } from '../errors.ts';

/** Why a start failed and what to do; what Node says of an address that cannot be had helps nobody. */
export function whyNotStarted(error: unknown): string {
  const { code, address, port } = (error ?? {}) as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  }; // fields of a listener's error, absent elsewhere
  const asked = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE')
    return `${asked} is taken, perhaps by another usher: end that one, or choose another port (0 takes a free one)`;
  if (code === 'EACCES' && port !== undefined)
    return `${asked} may not be used by this user: choose a port above 1023`;
  if (code === 'EADDRNOTAVAIL') return `this machine has no address ${address ?? ''}: check the host`;
  return describeError(error);
}
