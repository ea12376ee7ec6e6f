/**
 * The engine without the store: ports that only count. Throughput through 1,000 lanes; what rules that do not hear an
 * event cost it; and the same rules as subscribers of the bus, each of which filters every event.
 */
import { filter, Subject } from 'rxjs';
import { withId } from '../src/domain/event-id.ts';
import { EVENT_TYPES, type EventType, type MessagePosted, type UsherEvent } from '../src/domain/event.ts';
import type { PlaceRef } from '../src/domain/place.ts';
import type { Bus } from '../src/engine/bus.ts';
import { createEngine } from '../src/engine/create-engine.ts';
import type { Clock, Journal, Lanes } from '../src/engine/ports.ts';
import type { BoundRule } from '../src/plugin/bot.ts';
import { defineRule, z } from '../src/plugin/index.ts';
import type { Row } from './row.ts';

const LANES = 1_000;
const EVENTS = 200_000;
const AT_ONCE = 20_000;
const ROUNDS = 7;
const HEARING = 3;
const OTHER_TYPES = EVENT_TYPES.filter((type) => type !== 'message.posted');

const clock: Clock = { now: Date.now, monotonic: () => performance.now(), after: () => () => undefined };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

function ports(): { readonly journal: Journal; readonly lanes: Lanes } {
  let seq = 0;
  return {
    journal: {
      append: async (rows) => rows.map(({ lane, event }) => ({ seq: (seq += 1), lane, event })),
      undone: async () => [],
      read: async () => [],
      find: async () => undefined,
    },
    lanes: {
      load: async () => undefined,
      commit: async ({ actions }) => actions.map(({ action }) => action.id),
      list: async () => [],
    },
  };
}

/** `HEARING` rules look at each message; of the others one half hears something else, one half acts somewhere else. */
const isElsewhere = (index: number): boolean => index >= HEARING && index % 2 === 0;
const hears = (index: number): EventType =>
  index < HEARING || isElsewhere(index)
    ? 'message.posted'
    : (OTHER_TYPES[index % OTHER_TYPES.length] ?? 'stream.live');
const covers =
  (index: number) =>
  (place: PlaceRef): boolean =>
    !isElsewhere(index) || place.id === `elsewhere-${index}`;
let looked = 0;
const look = (event: UsherEvent): void => {
  if (event.type === 'message.posted' && event.text.length > 4) looked += 1;
};

function boundRule(index: number): BoundRule {
  const definition = defineRule({
    name: `rule-${index}`,
    hears: [hears(index)],
    mayDo: ['message.hide'],
    options: z.strictObject({}),
    decide: (event) => {
      look(event);
      return [];
    },
  });
  return {
    id: definition.name,
    bot: 'bench',
    mode: 'enforce',
    scope: { covers: covers(index) },
    definition,
    options: {},
    mayDo: new Set(definition.mayDo),
    stop: false,
    from: 'bench',
    fingerprint: definition.name,
  };
}

const bot = (rules: number) => ({
  name: 'bench',
  as: { screenName: 'Bench', role: 'Moderator' } as const,
  scope: { covers: () => true },
  rules: Array.from({ length: rules }, (_, index) => boundRule(index)),
  ladders: new Map(),
  notify: new Map(),
});

function messages(): readonly MessagePosted[] {
  return Array.from({ length: EVENTS }, (_, index) => {
    const at = 1_800_000_000_000 + index;
    const session = `session-${index % 317}`;
    return withId<MessagePosted>({
      type: 'message.posted',
      at,
      seenAt: at,
      source: 'poll',
      place: { kind: 'room', id: `room-${(index * 7) % LANES}` },
      messageId: `message-${index}`,
      author: {
        key: `session:${session}`,
        sessionId: session,
        screenName: session,
        standing: 'claimed',
        claimedRole: 'Participant',
      },
      text: `message number ${index}`,
      mimeType: 'text/plain',
      tags: [],
    });
  });
}

/** µs per event from `accept` to nothing undone; `listen` may look at the bus. */
async function throughEngine(
  events: readonly UsherEvent[],
  rules: number,
  listen: (bus: Bus) => void = () => undefined,
): Promise<number> {
  const engine = createEngine({
    ...ports(),
    sink: { enqueue: () => undefined },
    clock,
    log: quiet,
    bots: [bot(rules)],
    inbox: { events: EVENTS, bytes: Infinity },
  });
  listen(engine.bus);
  await engine.start();
  let before = 0;
  for (let from = 0; from < events.length; from += AT_ONCE) {
    // The first ones open the lanes; the bench is of a daemon that runs.
    if (from === AT_ONCE) {
      await engine.drain(60_000);
      globalThis.gc?.();
      before = performance.now();
    }
    await engine.accept(events.slice(from, from + AT_ONCE));
    while (engine.stats().undone > AT_ONCE) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await engine.drain(60_000);
  const tookMs = performance.now() - before;
  await engine.stop();
  return (tookMs * 1_000) / (events.length - AT_ONCE);
}

/** The same way in and the same lanes, but each rule subscribes to the bus and filters all events by itself. */
const throughFilters = (events: readonly UsherEvent[], rules: number): Promise<number> =>
  throughEngine(events.slice(0, 2 * AT_ONCE), 0, ({ events$ }) => {
    const bus = new Subject<UsherEvent>();
    events$.subscribe(bus);
    for (let index = 0; index < rules; index += 1) {
      const [type, isCovered] = [hears(index), covers(index)];
      bus
        .pipe(
          filter((event) => event.type === type),
          filter(({ place }) => place !== undefined && isCovered(place)),
        )
        .subscribe(look);
    }
  });

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export async function run(): Promise<readonly Row[]> {
  const events = messages();
  await throughEngine(events, 100);
  await throughFilters(events, 1_000);
  const rounds: { ten: number; hundred: number; thousand: number; filters: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      ten: await throughEngine(events, 10),
      hundred: await throughEngine(events, 100),
      thousand: await throughEngine(events, 1_000),
      filters: await throughFilters(events, 1_000),
    });
  }
  const perSecond = median(rounds.map(({ hundred }) => 1_000_000 / hundred));
  const growth = median(rounds.map(({ ten, thousand }) => thousand / ten));
  const saved = median(rounds.map(({ thousand, filters }) => filters / thousand));
  if (looked === 0) throw new Error('No rule looked at anything: the bench measures nothing.');
  return [
    {
      name: 'engine: events through 1,000 lanes, 100 rules, 3 hear',
      value: perSecond,
      unit: 'events/s',
      target: '>= 200,000',
      ok: perSecond >= 200_000,
    },
    {
      name: 'engine: cost per event, 10 to 1,000 rules',
      value: growth,
      unit: 'x',
      target: '<= 1.3',
      ok: growth <= 1.3,
    },
    {
      name: 'engine: bus with a filter in each of 1,000 rules',
      value: saved,
      unit: 'x as slow',
      target: '>= 15',
      ok: saved >= 15,
    },
  ];
}
