import type { LaneKey } from '../domain/lane-key.ts';
import type { Lane } from './lane.ts';

/** What one rule remembers in one place; bytes more or less. */
export interface RememberedBy {
  readonly bot: string;
  readonly rule: string;
  readonly lane: LaneKey;
  readonly bytes: number;
}

/** The `most` largest memories of rules among lanes that are loaded. */
export function largestMemories(
  lanes: Iterable<Pick<Lane, 'key' | 'state'>>,
  most: number,
): readonly RememberedBy[] {
  const all: RememberedBy[] = [];
  for (const { key, state } of lanes) {
    for (const [namespace, bytes] of state?.memory.sums ?? []) {
      const [, bot = '', rule = ''] = namespace.split('/');
      all.push({ bot, rule, lane: key, bytes });
    }
  }
  return all.sort((a, b) => b.bytes - a.bytes).slice(0, most);
}
