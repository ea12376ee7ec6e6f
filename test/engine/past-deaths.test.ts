import { map } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { PastDeaths } from '../../src/engine/ports.ts';
import { ruleIdentity } from '../../src/engine/rule-identity.ts';
import { defineKeeper, defineRule, hideMessage, transcoding, z } from '../../src/plugin/index.ts';
import { bind, bot, rule } from './bots.ts';
import { joined, opened, publishes, says } from './facts.ts';
import { stage, told } from './stage.ts';

const hiding = (name: string) =>
  rule(name, ['message.posted'], (event) => (event.type === 'message.posted' ? [hideMessage(event)] : []));
const stamp = (name: string, fingerprint = name) => ruleIdentity({ bot: 'house', rule: name, fingerprint });
const poison = says('ann', 'poison', 1);
const deaths = (event: string, identity: string): PastDeaths => ({
  setAside: new Map([[event, new Set([identity])]]),
  resting: new Set(),
});

describe('what the daemon died of twice', () => {
  test('is kept from that rule alone, at that event alone, and journaled with the reason', async () => {
    const one = await stage([bot([bind(hiding('deadly')), bind(hiding('neighbour'))])], {
      deaths: deaths(poison.id, stamp('deadly')),
    });
    await one.feed(opened(), poison, says('ann', 'harmless', 2));
    expect(told(one.decided)).toEqual(['message.hide by neighbour → open', 'message.hide by deadly → open']);
    const failed = await one.store.journal.read({ types: ['rule.failed'] });
    expect(failed).toMatchObject([
      { event: { rule: 'deadly', event: poison.id, error: expect.stringMatching(/^Set aside: .*twice/) } },
    ]);
    expect(one.engine.stats().quarantined).toEqual([]);
  });

  test('reaches the rule again once it is changed', async () => {
    const one = await stage([bot([bind(hiding('deadly'), { fingerprint: 'mended' })])], {
      deaths: deaths(poison.id, stamp('deadly')),
    });
    await one.feed(opened(), poison);
    expect(told(one.decided)).toEqual(['message.hide by deadly → open']);
  });

  test('is kept from a stream rule, which keeps what it has gathered, and from its warm-up', async () => {
    const seen: string[] = [];
    const gathering = defineRule({
      name: 'gathering',
      hears: ['message.posted'],
      mayDo: ['message.hide'],
      options: z.unknown(),
      remembers: () => 60_000,
      rule: ({ event$ }) => {
        let count = 0;
        return event$.pipe(
          map(({ text }) => {
            seen.push(`${text} ${(count += 1)}`);
            return [];
          }),
        );
      },
    });
    const one = await stage([bot([bind(gathering)])], { deaths: deaths(poison.id, stamp('gathering')) });
    await one.feed(opened(), says('ann', 'a', 0), poison, says('ann', 'b', 2));
    expect(seen.splice(0)).toEqual(['a 1', 'b 2']);
    const two = await one.restart();
    await two.feed(says('ann', 'c', 3));
    expect(seen).toEqual(['a 1', 'b 2', 'c 3']);
  });

  test('is kept from a keeper, which looks again at the next event', async () => {
    const keeper = defineKeeper({
      name: 'hls',
      options: z.unknown(),
      desired: (room) => [...room.streams.keys()].map((id) => transcoding(id, { type: 'HLS' })),
    });
    const start = publishes('ann', 's1', 1);
    const one = await stage([bot([bind(keeper)])], { deaths: deaths(start.id, stamp('hls')) });
    await one.feed(opened(), start);
    expect(one.decided).toEqual([]);
    await one.feed(joined('bob', 2));
    expect(told(one.decided)).toEqual(['transcoding.start by hls → open']);
  });

  test('a rule of many deaths rests until it is changed, whatever the time', async () => {
    const resting: PastDeaths = { setAside: new Map(), resting: new Set([stamp('deadly')]) };
    const one = await stage([bot([bind(hiding('deadly')), bind(hiding('neighbour'))])], { deaths: resting });
    expect(await one.store.journal.read({ types: ['rule.quarantined'] })).toMatchObject([
      { event: { rule: 'deadly', reason: expect.stringMatching(/rests until it is changed/) } },
    ]);
    await one.feed(opened(), poison);
    await one.clock.advance(100 * 3_600_000);
    await one.feed(says('ann', 'harmless', 2));
    expect(told(one.decided)).toEqual([
      'message.hide by neighbour → open',
      'message.hide by neighbour → open',
    ]);
    expect(one.engine.stats().quarantined).toEqual(['house/deadly']);
    one.engine.use([bot([bind(hiding('deadly'), { fingerprint: 'mended' })])]);
    await one.feed(says('ann', 'harmless', 3));
    expect(told(one.decided).at(-1)).toBe('message.hide by deadly → open');
  });
});
