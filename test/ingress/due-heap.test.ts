import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDueHeap, slot } from '../../src/ingress/due-heap.ts';

test('whatever is put, moved and removed, the earliest comes first', () => {
  const step = fc.record({
    what: fc.constantFrom('put', 'put', 'remove'),
    which: fc.nat(39),
    due: fc.nat(1_000),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 300, size: 'max' }), (steps) => {
      const heap = createDueHeap<number>();
      const slots = Array.from({ length: 40 }, (_, which) => slot(which));
      const model = new Map<number, number>();
      for (const { what, which, due } of steps) {
        const chosen = slots[which]!;
        if (what === 'put') {
          heap.put(chosen, due);
          model.set(which, due);
        } else {
          heap.remove(chosen);
          model.delete(which);
        }
        expect(heap.size).toBe(model.size);
        expect(heap.peek()?.due).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
      }
      const drained: number[] = [];
      for (let first = heap.peek(); first; first = heap.peek()) {
        drained.push(first.due);
        heap.remove(first);
      }
      expect(drained).toEqual([...model.values()].toSorted((a, b) => a - b));
    }),
  );
});
