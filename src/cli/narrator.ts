import type { Bus } from '../engine/bus.ts';
import type { UsherEvent } from '../domain/event.ts';
import type { ActionRecord } from '../engine/ports.ts';
import { Names } from './names.ts';
import { plain, type Paint } from './paint.ts';
import { ruleName, tellAction } from './tell-action.ts';
import { tellEvent } from './tell-event.ts';

/** Actions whose outcome is still to come, at most. */
const MOST_OPEN = 10_000;

/**
 * Tells a show as it happens, in plain words: what the platform did on the left margin, what the bots do about it
 * indented below. Own messages are not told twice: the action that sent them was.
 */
export function narrate(bus: Bus, paint: Paint, write: (line: string) => void): () => void {
  const names = new Names();
  const open = new Map<string, ActionRecord>();
  const line = (at: number, where: string, text: string): void => {
    const time = new Date(at).toTimeString().slice(0, 8);
    write(`${paint('gray', time)}  ${paint('bold', where.padEnd(10))}  ${text}`);
  };

  const hear = (event: UsherEvent): void => {
    names.learn(event);
    if (event.type === 'action.settled' || ('own' in event && event.own)) return;
    const told = tellEvent(event, names);
    if (told !== undefined) line(event.seenAt, names.place(event.place), paint(told.colour, told.text));
  };

  const subscriptions = [
    bus.events$.subscribe(hear),
    bus.decisions$.subscribe((record) => {
      open.set(record.action.id, record);
      const oldest = open.size > MOST_OPEN ? open.keys().next() : undefined;
      if (oldest?.done === false) open.delete(oldest.value);
    }),
    bus.outcomes$.subscribe((outcome) => {
      const record = open.get(outcome.action);
      if (record === undefined) return;
      open.delete(outcome.action);
      const { action } = record;
      const what = tellAction(action, names);
      const who = plain(action.as.screenName, 40);
      const rule = paint('gray', `[${plain(ruleName(action))}]`);
      const text =
        outcome.outcome === 'performed'
          ? `  ${paint('magenta', `→ ${who} ${what}`)}`
          : outcome.outcome === 'shadowed'
            ? `  ${paint('gray', `→ ${who} would, but is in shadow: ${what}`)}`
            : `  ${paint('red', `→ ${who} ${what}: ${outcome.outcome}, ${plain(outcome.detail)}`)}`;
      line(outcome.seenAt, names.place(action.place), `${text} ${rule}`);
    }),
  ];
  return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
}
