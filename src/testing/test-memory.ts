import type { Memory, Plain } from '../domain/memory.ts';

/** A rule's memory in a test: forgets by event time, and keeps plain data only, as the lane's state does. */
export function testMemory(now: () => number): Memory {
  const kept = new Map<string, { readonly text: string; readonly until: number }>();
  return {
    get(key) {
      const found = kept.get(key);
      // It was written by `set` below.
      return found && found.until > now() ? (JSON.parse(found.text) as Plain) : undefined;
    },
    set(key, value, { forMs }) {
      kept.set(key, { text: JSON.stringify(value), until: now() + forMs });
    },
    delete(key) {
      kept.delete(key);
    },
  };
}
