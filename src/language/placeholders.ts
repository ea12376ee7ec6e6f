import type { Gift } from './gift.ts';
import type { Occasion } from './occasion.ts';

/** A name between `{{` and `}}`. `from: 'people'`: their words, which a public answer must not pass on unseen. */
export interface Placeholder {
  readonly name: string;
  readonly says: string;
  readonly needs?: Gift;
  /** `quote`: never in a public text; `people`: public, but `…` when it hits one of the bot's lists. */
  readonly from: 'us' | 'people' | 'quote';
  value(occasion: Occasion): string;
}

/** The words of a command behind the first. */
export const argumentsOf = (text: string): readonly string[] => text.trim().split(/\s+/u).slice(1);

const messageText = ({ moment: { event } }: Occasion): string =>
  event.type === 'message.posted' ? event.text : '';

const ARGUMENTS: readonly Placeholder[] = Array.from({ length: 10 }, (_, index) => ({
  name: `args.${index}`,
  says: `argument ${index + 1} of the command`,
  needs: 'args',
  from: 'people',
  value: (occasion) => argumentsOf(messageText(occasion))[index] ?? '',
}));

/** The fixed set; anything else between the braces is refused at load. */
export const PLACEHOLDERS: ReadonlyMap<string, Placeholder> = new Map(
  (
    [
      {
        name: 'member.name',
        says: 'screen name of the author, member or publisher',
        needs: 'member',
        from: 'people',
        value: ({ moment }) => moment.subject()?.screenName ?? '',
      },
      {
        name: 'member.role',
        says: 'role by the member list',
        needs: 'member',
        from: 'us',
        value: ({ moment }) => moment.subject()?.role ?? 'unknown',
      },
      {
        name: 'message.text',
        says: 'the message; only in `notify` and `log`',
        needs: 'message',
        from: 'quote',
        value: messageText,
      },
      {
        name: 'match',
        says: 'what `text` found, as written; only in `notify` and `log`',
        needs: 'match',
        from: 'quote',
        value: ({ evidence }) => evidence.match ?? '',
      },
      ...ARGUMENTS,
      {
        name: 'reason',
        says: "the strike's reason inside a ladder, else the rule's `note`, else its id",
        from: 'us',
        value: ({ reason }) => reason,
      },
      {
        name: 'strikes',
        says: 'points of the member on the ladder, this decision included',
        needs: 'points',
        from: 'us',
        value: (occasion) => String(occasion.strikes()),
      },
      {
        name: 'n',
        says: 'the number of publishers, or of events that `rate` counted',
        needs: 'number',
        from: 'us',
        value: ({ evidence, moment: { event } }) =>
          String(event.type === 'publishers.changed' ? event.to : (evidence.count ?? 0)),
      },
      {
        name: 'room.alias',
        says: 'alias of the room or channel',
        from: 'us',
        value: ({ moment }) => moment.room.alias,
      },
      {
        name: 'room.name',
        says: 'name of the room or channel',
        from: 'us',
        value: ({ moment }) => moment.room.name,
      },
      {
        name: 'stream.id',
        says: 'id of the stream',
        needs: 'stream',
        from: 'us',
        value: ({ moment: { event } }) => ('streamId' in event ? event.streamId : ''),
      },
      {
        name: 'action',
        says: 'what failed, by `action.failed`',
        needs: 'outcome',
        from: 'us',
        value: ({ moment: { event } }) => (event.type === 'action.settled' ? event.actionType : ''),
      },
      {
        name: 'detail',
        says: 'why it failed, by `action.failed`',
        needs: 'outcome',
        from: 'us',
        value: ({ moment: { event } }) => (event.type === 'action.settled' ? event.detail : ''),
      },
      { name: 'rule', says: "the rule's id", from: 'us', value: ({ rule }) => rule },
      { name: 'bot', says: "the bot's name", from: 'us', value: ({ bot }) => bot },
    ] satisfies readonly Placeholder[]
  ).map((placeholder) => [placeholder.name, placeholder] as const),
);
