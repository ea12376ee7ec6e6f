/** An element's place in one heap; an element can stand in several heaps with a handle for each. */
export interface Slot<T> {
  readonly item: T;
  due: number;
  /** Index in the heap; -1 while outside. */
  at: number;
}

/** A binary heap, earliest first, whose elements can be moved and removed: one timer serves any number of them. */
export interface DueHeap<T> {
  readonly size: number;
  peek(): Slot<T> | undefined;
  /** Puts the slot in, or moves it when it is in already. */
  put(slot: Slot<T>, due: number): void;
  remove(slot: Slot<T>): void;
}

export const slot = <T>(item: T): Slot<T> => ({ item, due: 0, at: -1 });

export function createDueHeap<T>(): DueHeap<T> {
  const slots: Slot<T>[] = [];

  const place = (moved: Slot<T>, index: number) => {
    slots[index] = moved;
    moved.at = index;
  };

  const rise = (moved: Slot<T>, from: number) => {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = slots[above];
      if (parent === undefined || parent.due <= moved.due) break;
      place(parent, index);
      index = above;
    }
    place(moved, index);
    return index;
  };

  const sink = (moved: Slot<T>, from: number) => {
    let index = from;
    for (;;) {
      const left = slots[2 * index + 1];
      const right = slots[2 * index + 2];
      const least = left !== undefined && right !== undefined && right.due < left.due ? right : left;
      if (least === undefined || least.due >= moved.due) break;
      const below = least.at;
      place(least, index);
      index = below;
    }
    place(moved, index);
  };

  return {
    get size() {
      return slots.length;
    },
    peek: () => slots[0],
    put(moved, due) {
      moved.due = due;
      if (moved.at === -1) {
        slots.push(moved);
        moved.at = slots.length - 1;
      }
      const at = moved.at;
      if (rise(moved, at) === at) sink(moved, at);
    },
    remove(gone) {
      const index = gone.at;
      if (index === -1) return;
      gone.at = -1;
      const last = slots.pop();
      if (last === undefined || last === gone) return;
      last.at = index;
      if (rise(last, index) === index) sink(last, index);
    },
  };
}
