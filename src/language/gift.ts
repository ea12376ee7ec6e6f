/**
 * What an event puts at a rule's disposal, beyond its place: `chat` is a room that can be written to, `live` a stream
 * that still runs, `tags` those of the message or stream, `number` a count, `match` the text that a condition found,
 * `points` what a ladder counts.
 */
export type Gift =
  | 'chat'
  | 'message'
  | 'member'
  | 'stream'
  | 'live'
  | 'tags'
  | 'args'
  | 'number'
  | 'match'
  | 'points'
  | 'outcome';

/** How a finding names what is not there. */
export const GIFT_NAMES: Readonly<Record<Gift, string>> = {
  chat: 'an open room',
  message: 'a message',
  member: 'a member',
  stream: 'a stream',
  live: 'a live stream',
  tags: 'tags',
  args: 'the arguments of a command',
  number: 'a number',
  match: 'a matched text',
  points: 'a ladder and a member',
  outcome: "an action's outcome",
};
