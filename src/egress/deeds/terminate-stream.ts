import type { Action } from '../../domain/action.ts';
import { asked } from '../asked.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { endedBefore } from '../ended-before.ts';
import { done } from '../fate.ts';
import type { PlatformPort } from '../platform-port.ts';

/** Ends a stream; one that has ended already, or is unknown by now, is what was wanted. */
export const terminateStream = (action: Action<'stream.terminate'>, client: PlatformPort): Deed => ({
  repeatable: true,
  about: `stream:${action.streamId}`,
  freshForMs: FRESH_FOR_MS.deed,
  asksPlatform: true,
  call: (ask) =>
    endedBefore('stream', async () => {
      await client.terminateStream({ streamId: action.streamId, reason: action.reason }, asked(ask));
      return done('stream ended');
    }),
});
