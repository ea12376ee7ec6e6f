import type { UsherEvent } from '../../src/domain/event.ts';
import type { Count, Intake, Log } from '../../src/engine/ports.ts';

/** An intake that remembers ids like the journal does; `fail` makes the next calls throw. */
export interface RecordingIntake extends Intake {
  readonly events: readonly UsherEvent[];
  fail: Error | undefined;
  of<T extends UsherEvent['type']>(type: T): Extract<UsherEvent, { type: T }>[];
}

export function recordingIntake(onNew: (event: UsherEvent) => void = () => {}): RecordingIntake {
  const events: UsherEvent[] = [];
  const ids = new Set<string>();
  return {
    events,
    fail: undefined,
    async accept(batch) {
      await Promise.resolve();
      if (this.fail) throw this.fail;
      return batch.map((event) => {
        if (ids.has(event.id)) return 'duplicate';
        ids.add(event.id);
        events.push(event);
        onNew(event);
        return 'new';
      });
    },
    of: <T extends UsherEvent['type']>(type: T) =>
      events.filter((event): event is Extract<UsherEvent, { type: T }> => event.type === type),
  };
}

export interface RecordingLog extends Log {
  readonly lines: readonly string[];
}

export function recordingLog(): RecordingLog {
  const lines: string[] = [];
  const write = (data: object, message: string) => void lines.push(`${message} ${JSON.stringify(data)}`);
  return { lines, info: write, warn: write, error: write };
}

export interface RecordingCount {
  readonly count: Count;
  of(name: string): number;
}

export function recordingCount(): RecordingCount {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  return {
    count: (name, labels) => {
      add(name);
      if (labels) add(`${name} ${Object.values(labels).join(' ')}`);
    },
    of: (name) => counts.get(name) ?? 0,
  };
}
