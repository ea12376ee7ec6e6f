import { join } from 'node:path';
import { expect } from 'vitest';
import { actionId } from '../../src/domain/action-id.ts';
import type { UsherEvent } from '../../src/domain/event.ts';
import { openStore } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/daemon/system-clock.ts';
import type { Stage } from '../journeys/processes.ts';
import type { Truth } from './truth.ts';

const PAGE = 5_000;

/** What the journal must show in the end: each accepted notification is in it once, and its rule has heard it. */
export async function inspectJournal(stage: Stage, { deliveries }: Truth): Promise<void> {
  const store = await openStore({
    path: join(stage.folder, 'data', 'usher.db'),
    clock: systemClock,
    thread: 'same',
  });
  try {
    expect(await store.journal.undone(1)).toEqual([]);
    const known = new Map<string, UsherEvent>();
    for (let afterSeq = 0; ;) {
      const page = await store.journal.read({
        afterSeq,
        limit: PAGE,
        types: ['stream.started', 'stream.ended'],
      });
      for (const { event } of page)
        if ('streamId' in event) known.set(`${event.type} ${event.streamId}`, event);
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) break;
      afterSeq = last.seq;
    }
    const accepted = deliveries.filter(
      ({ what, state }) => state === 'delivered' && (what === 'started' || what === 'ended'),
    );
    expect(accepted.length).toBeGreaterThan(0);
    const missing = accepted.filter(({ what, streamId }) => !known.has(`stream.${what} ${streamId}`));
    expect(missing).toEqual([]);

    const unheard: string[] = [];
    for (const { what, streamId, body } of accepted) {
      const event = known.get(`stream.${what} ${streamId}`);
      const { tags } = body['data'] as { tags: string[] }; // interface.md, "Events"
      if (!event || what !== 'ended' || tags.some((tag) => tag.startsWith('op:'))) continue;
      const id = actionId({ bot: 'drill', rule: 'heard', because: [event.id], ordinal: 0 });
      if ((await store.actions.find(id))?.outcome !== 'performed') unheard.push(event.id);
    }
    expect(unheard).toEqual([]);
  } finally {
    await store.close();
  }
}
