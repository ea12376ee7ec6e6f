import { describe, expect, test } from 'vitest';
import { ends, member, publishes, roomWith, ruleTester, says, stream, wait } from 'usher/testing';
import censorshipKill from './index.ts';

const room = roomWith({
  members: [member('Grim'), member('Ann'), member('Mo', { role: 'Moderator' })],
  streams: [stream('Grim'), stream('Ann')],
});
/** Another session under a name that looks the same: the first letter is Cyrillic. */
const disguised = roomWith({
  members: [member('Ann'), member('Ann', { sessionId: 'other', screenName: 'Аnn' })],
});
const again = { type: 'stream.terminate', streamId: 'again', reason: 'censored' } as const;
const censored = { reason: 'censored' } as const;

describe('censorship-kill', () => {
  const { cases } = ruleTester(censorshipKill, {
    acts: [
      {
        name: 'a stream that was ended as censored is ended again when it comes back',
        room,
        steps: [ends('Grim', censored), wait('5m'), publishes('Grim', { streamId: 'again' })],
        does: [again],
      },
      {
        name: 'each comeback starts the time anew',
        room,
        steps: [
          ends('Grim', censored),
          wait('9m'),
          publishes('Grim', { streamId: 'again' }),
          wait('9m'),
          publishes('Grim', { streamId: 'once-more' }),
        ],
        does: [again, { type: 'stream.terminate', streamId: 'once-more' }],
      },
      {
        name: 'a new session under a name that looks the same is the same person',
        room: disguised,
        steps: [ends('Ann', censored), publishes('Ann', { sessionId: 'other', streamId: 'again' })],
        does: [again],
      },
      {
        name: 'a moderator ends all streams of a member by name',
        room,
        steps: [says('Mo', '!censor @grim'), publishes('Grim', { streamId: 'again' })],
        does: [{ type: 'stream.terminate', streamId: 'stream-Grim', reason: 'censored' }, again],
      },
      {
        name: 'the reason and the command can be others',
        room,
        options: { reason: 'copyright', command: '!takedown' },
        steps: [says('Mo', '!takedown Grim')],
        does: [{ type: 'stream.terminate', streamId: 'stream-Grim', reason: 'copyright' }],
      },
    ],
    staysSilent: [
      { name: 'a stream that ended by itself may come back', room, steps: [ends('Grim'), publishes('Grim')] },
      {
        name: 'after the watch it may come back',
        room,
        steps: [ends('Grim', censored), wait('10m'), publishes('Grim')],
      },
      { name: 'somebody else may publish', room, steps: [ends('Grim', censored), publishes('Ann')] },
      {
        name: 'a start that is told late starts nothing',
        room,
        steps: [ends('Grim', censored), publishes('Grim', { streamId: 'again', late: true })],
      },
      { name: 'a member without the role commands nothing', room, steps: [says('Ann', '!censor @Grim')] },
      {
        name: 'whoever only claims the role commands nothing',
        room,
        steps: [says('Stranger', '!censor @Grim', { author: { claimedRole: 'Moderator' } })],
      },
      { name: 'a name that nobody has', room, steps: [says('Mo', '!censor @Nobody')] },
      { name: 'the word inside of a sentence', room, steps: [says('Mo', 'please !censor @Grim')] },
    ],
  });
  test.each(cases)('$name', (one) => {
    expect(one.run).not.toThrow();
  });
});
