import { describe, expect, test } from 'vitest';
import { member, roomWith, ruleTester, says, wait } from 'usher/testing';
import autoModeration from './index.ts';

const room = roomWith({ members: [member('Ann'), member('Bob')] });
const strike = (reason: string) => ({ type: 'member.strike', ladder: 'chat', points: 1, reason }) as const;

describe('auto-moderation', () => {
  const { cases } = ruleTester(autoModeration, {
    options: { words: ['grobnik'], allow: ['grobniks'], ladder: 'chat' },
    acts: [
      {
        name: 'a word of the list is hidden and counts',
        room,
        steps: [says('Ann', 'you grobnik')],
        does: [{ type: 'message.hide', messageIds: ['m1'] }, strike('that word is not welcome here')],
      },
      {
        name: 'in disguise',
        room,
        steps: [says('Ann', 'you gr0b-n.i.k')],
        does: ['message.hide', 'member.strike'],
      },
      {
        name: 'shouting',
        room,
        steps: [says('Ann', 'EVERYBODY LISTEN TO ME NOW')],
        does: ['message.hide', strike('please do not shout')],
      },
      {
        name: 'the third repeat within a minute, however it is spaced and spelt',
        room,
        steps: [says('Ann', 'buy here'), wait('20s'), says('Ann', ' Buy here '), says('Ann', 'buy here')],
        does: [{ type: 'message.hide', messageIds: ['m4'] }, strike('please do not repeat yourself')],
      },
      {
        name: 'without a ladder messages are only hidden',
        room,
        options: { ladder: undefined },
        steps: [says('Ann', 'grobnik')],
        does: ['message.hide'],
      },
    ],
    staysSilent: [
      { name: 'friendly words', room, steps: [says('Ann', 'good evening')] },
      { name: 'a word that is allowed', room, steps: [says('Ann', 'the grobniks of Ulm')] },
      { name: 'a short cry', room, steps: [says('Ann', 'YES')] },
      {
        name: 'the same words of two people',
        room,
        steps: [says('Ann', 'hi'), says('Bob', 'hi'), says('Ann', 'hi')],
      },
      {
        name: 'repeats with time between them',
        room,
        steps: [says('Ann', 'hi'), wait('1m'), says('Ann', 'hi'), wait('1m'), says('Ann', 'hi')],
      },
      {
        name: 'what is no text',
        room,
        steps: [says('Ann', 'grobnik', { mimeType: 'application/octet-stream' })],
      },
    ],
  });
  test.each(cases)('$name', (one) => {
    expect(one.run).not.toThrow();
  });
});
