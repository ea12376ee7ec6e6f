import { join } from 'node:path';
import { expect } from 'vitest';
import { actionId } from '../../src/domain/action-id.ts';
import { systemClock } from '../../src/daemon/system-clock.ts';
import type { UsherEvent } from '../../src/domain/event.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Stage } from '../journeys/processes.ts';

const PAGE = 5_000;

/** A notification that got a 200. */
export interface Accepted {
  readonly what: string;
  readonly data: { readonly streamId: string; readonly tags?: readonly string[] };
}

/** What the journal shows when the daemon has stopped: nothing undone, each accepted notification in it and heard by its rule. */
export async function inspectJournal({ folder }: Stage, accepted: readonly Accepted[]): Promise<void> {
  const store = await openStore({
    path: join(folder, 'data', 'usher.db'),
    clock: systemClock,
    thread: 'same',
  });
  try {
    expect(await store.journal.undone(1)).toEqual([]);
    const known = new Map<string, UsherEvent>();
    for (let afterSeq = 0; ;) {
      const types = ['stream.started', 'stream.ended'] as const;
      const page = await store.journal.read({ afterSeq, limit: PAGE, types });
      for (const { event } of page)
        if ('streamId' in event) known.set(`${event.type} ${event.streamId}`, event);
      const last = page.at(-1);
      if (page.length < PAGE || last === undefined) break;
      afterSeq = last.seq;
    }
    const told = accepted.filter(({ what }) => what === 'started' || what === 'ended');
    expect(told.length).toBeGreaterThan(0);
    const missing: string[] = [];
    const unheard: string[] = [];
    for (const { what, data } of told) {
      const event = known.get(`stream.${what} ${data.streamId}`);
      if (!event) missing.push(`${what} ${data.streamId}`);
      // What a bot made itself is heard by no rule of it.
      else if (what === 'ended' && !data.tags?.some((tag) => tag.startsWith('op:'))) {
        const id = actionId({ bot: 'drill', rule: 'heard', because: [event.id], ordinal: 0 });
        if ((await store.actions.find(id))?.outcome !== 'performed') unheard.push(event.id);
      }
    }
    expect({ missing, unheard }).toEqual({ missing: [], unheard: [] });
  } finally {
    await store.close();
  }
}
