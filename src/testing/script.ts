import { parseDuration } from '../domain/duration.ts';
import { withId } from '../domain/event-id.ts';
import type {
  EventSource,
  MemberChanged,
  MemberJoined,
  MemberLeft,
  MessagePosted,
  PublishersChanged,
  StreamEnded,
  StreamStarted,
  UsherEvent,
} from '../domain/event.ts';
import type { Author, Member } from '../domain/member.ts';
import type { PlaceRef } from '../domain/place.ts';
import type { PlaceView } from '../domain/place-view.ts';
import { author, member, sessionOf } from './cast.ts';

/** Where a step of a case takes place, and when. */
export interface Scene {
  readonly place: PlaceRef;
  readonly room: PlaceView;
  /** Ms since 1970. */
  readonly at: number;
  /** Counts the steps of the case from 1: message ids are `m1`, `m2`, … */
  readonly step: number;
}

/** One step of a case: an event as it is, or made at its time and place; or time that passes. */
export type Step = UsherEvent | ((scene: Scene) => UsherEvent) | { readonly waitMs: number };

const head = (scene: Scene, source: EventSource = 'poll') => ({
  at: scene.at,
  seenAt: scene.at,
  source,
  place: scene.place,
});

const memberNamed = (scene: Scene, name: string): Member =>
  [...scene.room.members.values()].find((one) => one.screenName === name) ?? member(name);

/** Somebody writes. The author is verified when the room lists the name, and claimed else. */
export const says =
  (
    name: string,
    text: string,
    more: Partial<Omit<MessagePosted, 'author'>> & { readonly author?: Partial<Author> } = {},
  ) =>
  (scene: Scene): MessagePosted => {
    const known = [...scene.room.members.values()].find((one) => one.screenName === name);
    return withId<MessagePosted>({
      type: 'message.posted',
      ...head(scene),
      messageId: `m${scene.step}`,
      text,
      mimeType: 'text/plain',
      tags: [],
      ...more,
      author: author(name, known, more.author),
    });
  };

/** Somebody appears in the member list. */
export const joins =
  (name: string, more: Partial<MemberJoined> = {}) =>
  (scene: Scene): MemberJoined =>
    withId<MemberJoined>({
      type: 'member.joined',
      ...head(scene),
      member: { ...memberNamed(scene, name), lastUpdate: scene.at },
      ...more,
    });

/** Somebody is gone from the member list. */
export const leaves =
  (name: string, more: Partial<MemberLeft> = {}) =>
  (scene: Scene): MemberLeft =>
    withId<MemberLeft>({
      type: 'member.left',
      ...head(scene),
      member: { ...memberNamed(scene, name), lastUpdate: scene.at },
      ...more,
    });

/** Role, state, name or streams of a member change. */
export const changes =
  (name: string, what: MemberChanged['changes'], more: Partial<MemberChanged> = {}) =>
  (scene: Scene): MemberChanged =>
    withId<MemberChanged>({
      type: 'member.changed',
      ...head(scene),
      member: {
        ...memberNamed(scene, name),
        ...(what.role && { role: what.role.to }),
        ...(what.state && { state: what.state.to }),
        ...(what.screenName && { screenName: what.screenName.to }),
        lastUpdate: scene.at,
      },
      changes: what,
      ...more,
    });

/** A stream of somebody starts; its id is `stream-<name>` unless given. */
export const publishes =
  (name: string, more: Partial<StreamStarted> = {}) =>
  (scene: Scene): StreamStarted =>
    withId<StreamStarted>({
      type: 'stream.started',
      ...head(scene, 'webhook'),
      streamId: `stream-${name}`,
      sessionId: sessionOf(name),
      tags: [],
      ...more,
    });

/** A stream of somebody ends; its id is `stream-<name>` unless given. */
export const ends =
  (name: string, more: Partial<StreamEnded> = {}) =>
  (scene: Scene): StreamEnded =>
    withId<StreamEnded>({
      type: 'stream.ended',
      ...head(scene, 'webhook'),
      streamId: `stream-${name}`,
      sessionId: sessionOf(name),
      tags: [],
      durationMs: null,
      reason: 'ended',
      ...more,
    });

/** The number of publishers changes. */
export const publishersGo =
  (from: number, to: number) =>
  (scene: Scene): PublishersChanged =>
    withId<PublishersChanged>({
      type: 'publishers.changed',
      ...head(scene, 'webhook'),
      from,
      to,
      cause: `cause-${scene.step}`,
    });

/** Time passes, as in `wait('30s')`: what waits on the rule's clock comes due. */
export function wait(text: string): { readonly waitMs: number } {
  const waitMs = parseDuration(text);
  if (waitMs === undefined) throw new TypeError(`wait("${text}"): write one number and one unit, as in 30s.`);
  return { waitMs };
}
