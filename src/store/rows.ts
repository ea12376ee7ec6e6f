import type { Action } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { ActionRecord, Journaled } from '../engine/ports.ts';
import type { Mode } from '../plugin/bot.ts';
import type { ActionRow, EventRow, JournalRow, StoredAction } from './tables.ts';

export const eventRow = (lane: LaneKey, event: UsherEvent): EventRow => [
  lane,
  event.id,
  event.type,
  event.at,
  event.seenAt,
  JSON.stringify(event),
];

export const actionRow = ({ action, mode, settled }: ActionRecord, now: number): ActionRow => [
  action.id,
  mode,
  settled?.outcome ?? null,
  settled?.detail ?? null,
  settled ? now : null,
  JSON.stringify(action),
];

/** The casts below are true because only the two functions above write these columns. */
export const readEvent = (row: JournalRow): Journaled => ({
  seq: row.seq,
  lane: row.lane as LaneKey,
  event: JSON.parse(row.body) as UsherEvent,
});

export const readAction = (row: StoredAction): ActionRecord => ({
  action: JSON.parse(row.body) as Action,
  lane: row.lane as LaneKey,
  mode: row.mode as Mode,
});
