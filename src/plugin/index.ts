/**
 * What authors of rules, conditions and keepers import as `usher/plugin`: the `define…` functions, the actions, windows
 * that forget, and the words of the house.
 */
export { z } from 'zod';
export { composition, transcoding } from './desired-resources.ts';
export { DefinitionError } from './definition-error.ts';
export { defineCondition } from './define-condition.ts';
export { defineKeeper } from './define-keeper.ts';
export { defineRule } from './define-rule.ts';
export { duration, type DurationType } from './duration.ts';
export { isPluginDefinition } from './plugin-definition.ts';
export { announce, hideMessage, hideMessages, purgeRoom, reply } from './message-actions.ts';
export { banMember, censorMember, muteMember, strikeMember } from './member-actions.ts';
export { notifyPeople, writeLog } from './people-actions.ts';
export {
  startComposition,
  startTranscoding,
  stopComposition,
  stopTranscoding,
  terminateStream,
  updateComposition,
} from './stream-actions.ts';
export { burstsPer, type Burst } from './bursts-per.ts';
export { distinctPer, type Crowd } from './distinct-per.ts';
export { oncePer } from './once-per.ts';
export { unlessFollowedBy } from './unless-followed-by.ts';
export type { Because, Subject } from './reasons.ts';
export type { Timed } from './keyed-window.ts';
export type {
  ConditionDefinition,
  DecideContext,
  DesiredResource,
  KeeperDefinition,
  PluginDefinition,
  RuleClock,
  RuleDefinition,
  StreamContext,
} from './definitions.ts';
export type {
  Action,
  ActionDraft,
  ActionType,
  Anchor,
  CompositionInput,
  CompositionSpec,
  Guarantee,
  Quality,
  TranscodingSpec,
  TranscodingType,
} from '../domain/action.ts';
export type { EventId, EventOf, EventType, UsherEvent } from '../domain/event.ts';
export type {
  Author,
  Member,
  MemberKey,
  MemberState,
  MemberStream,
  Role,
  TrackState,
} from '../domain/member.ts';
export { memberKey } from '../domain/member.ts';
export type { Memory, Plain } from '../domain/memory.ts';
export type { PlaceFacts, PlaceRef, RoomType } from '../domain/place.ts';
export type { LiveStream, OwnedResource, PlaceView, Publisher, RecentMessage } from '../domain/place-view.ts';
export { formatDuration, parseDuration } from '../domain/duration.ts';
