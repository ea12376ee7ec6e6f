import { ConflictError, GoneError, NotFoundError } from '../platform/index.ts';
import { done, type Fate } from './fate.ts';

/**
 * Runs a deed that ends something. That it is gone is what was wanted, however it went: 404, 409 `already-deleted`, and
 * each 410 (interface.md, endpoints 3, 31 and 33), `resource-unavailable` among them, since nothing hosts it any more.
 */
export async function endedBefore(what: string, end: () => Promise<Fate>): Promise<Fate> {
  try {
    return await end();
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ConflictError || error instanceof GoneError)
      return done(`${what} already ended (${error.rawStatus ?? error.code})`);
    throw error;
  }
}
