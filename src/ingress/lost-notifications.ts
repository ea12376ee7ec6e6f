import type { EventId } from '../domain/event.ts';
import type { Clock } from '../engine/ports.ts';

/** Notices notifications that never came: a poll found the event, and none told of it within the time that it may take. */
export interface LostNotifications {
  /** A poll was first to tell of it. */
  foundByPoll(id: EventId): void;
  /** A notification told of it. */
  notified(id: EventId): void;
  stop(): void;
}

export function createLostNotifications(of: {
  readonly clock: Clock;
  readonly withinMs: number;
  readonly lost: (id: EventId) => void;
}): LostNotifications {
  const { clock, withinMs, lost } = of;
  /** Id and when to give up, in order of that time. */
  const waiting = new Map<EventId, number>();
  let cancel: (() => void) | undefined;

  const arm = () => {
    const [first] = waiting.values();
    if (first === undefined || cancel) return;
    cancel = clock.after(Math.max(1, first - clock.monotonic()), () => {
      cancel = undefined;
      for (const [id, due] of waiting) {
        if (due > clock.monotonic()) break;
        waiting.delete(id);
        lost(id);
      }
      arm();
    });
  };

  return {
    foundByPoll(id) {
      waiting.set(id, clock.monotonic() + withinMs);
      arm();
    },
    notified: (id) => void waiting.delete(id),
    stop() {
      cancel?.();
      cancel = undefined;
      waiting.clear();
    },
  };
}
