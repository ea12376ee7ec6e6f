import type { EventId, UsherEvent } from '../../src/domain/event.ts';
import type { LaneKey } from '../../src/domain/lane-key.ts';
import { placeOfKey } from '../../src/domain/place.ts';
import type { Journaled } from '../../src/engine/ports.ts';
import { WITNESS_COUNT, WITNESSED } from './bots.ts';
import type { Disk } from './disk.ts';
import { finding, type Finding } from './findings.ts';

/** Who heard what in which order, and whether its effect is in the state exactly once. */
export interface Witness {
  /** A rule hears the event now, in this life. */
  hears(life: number, event: UsherEvent): void;
  misheard(): readonly Finding[];
  counted(): Promise<readonly Finding[]>;
}

export function createWitness(disk: Disk): Witness {
  const heard: { readonly life: number; readonly id: EventId }[] = [];

  return {
    hears: (life, { id }) => void heard.push({ life, id }),

    misheard() {
      const found: Finding[] = [];
      const newest = new Map<string, number>();
      for (const { life, id } of heard) {
        const row = disk.journal.get(id);
        if (row === undefined) {
          found.push(finding('not journaled', `a rule heard ${id} before it was durable`));
          continue;
        }
        const line = `${life} ${row.lane}`;
        if ((newest.get(line) ?? 0) >= row.seq)
          found.push(finding('misordered', `life ${life} heard ${id} behind a later event of ${row.lane}`));
        newest.set(line, row.seq);
      }
      return found;
    },

    async counted() {
      const found: Finding[] = [];
      for (const [lane, expected] of expectations(disk.journal.values())) {
        const parts = (await disk.durable.lanes.load(lane))?.parts ?? {};
        const name = Object.keys(parts).find((part) => part.endsWith(`witness/${WITNESS_COUNT}`));
        const memory = name === undefined ? undefined : parts[name];
        const counted = Number(typeof memory === 'object' ? Reflect.get(memory ?? {}, 'value') : 0);
        if (counted < expected)
          found.push(finding('lost', `${lane} has ${expected} events and their rules count ${counted}`));
        else if (counted > expected)
          found.push(finding('doubled', `${lane} has ${expected} events and their rules count ${counted}`));
      }
      return found;
    },
  };
}

/** How many events of each place its rules ought to have counted: all but our own doing. */
function expectations(rows: Iterable<Journaled>): ReadonlyMap<LaneKey, number> {
  const counts = new Map<LaneKey, number>();
  for (const { lane, event } of rows) {
    if (!HEARD.has(event.type) || ('own' in event && event.own)) continue;
    if (placeOfKey(lane) !== undefined) counts.set(lane, (counts.get(lane) ?? 0) + 1);
  }
  return counts;
}

const HEARD: ReadonlySet<string> = new Set(WITNESSED);
