import type { UsherEvent } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import type { EdgeRule } from './edge-rule.ts';
import { eventTags } from './event-subject.ts';

/**
 * Whether an event of a type that the rule hears is for it: not our own doing, not another rule's schedule, with the
 * tags of its scope, and not excepted.
 */
export function reaches({ bot, bound }: EdgeRule, event: UsherEvent, room: PlaceView): boolean {
  if ('own' in event && event.own) return false;
  if (event.type === 'schedule.fired' && (event.bot !== bot.name || event.rule !== bound.id)) return false;
  if (bound.scope.tags && !bound.scope.tags(eventTags(event))) return false;
  if (bot.scope.tags && !bot.scope.tags(eventTags(event))) return false;
  return bound.except?.(event, room) !== true;
}
