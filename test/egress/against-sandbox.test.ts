import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { ActionSettled } from '../../src/domain/event.ts';
import { systemClock } from '../../src/daemon/system-clock.ts';
import type { KnownMessage } from '../../src/egress/action-history.ts';
import { createRequestBudget } from '../../src/egress/budget.ts';
import { createOutbox, type Outbox } from '../../src/egress/outbox.ts';
import { createPerform } from '../../src/egress/perform.ts';
import { createPlatformClient, type PlatformClient } from '../../src/platform/index.ts';
import { startSandbox, type RequestFaultRule, type Sandbox } from '../../src/sandbox/index.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import { action, intend } from './actions.ts';

/** Short, so that the worst case takes a second; the loopback lands nothing late. */
const DEADLINE_MS = 200;
const GRACE_MS = 600;

let sandbox: Sandbox;
let client: PlatformClient;
let outbox: Outbox;
let place: { readonly kind: 'room'; readonly id: string };
let streamId: string;

/** Streams whose `started` notification carries the tag, as the daemon's journal would tell. */
const startedWith = (tag: string): string[] =>
  sandbox
    .deliveries()
    .filter(({ what, body }) => what === 'started' && JSON.stringify(body).includes(`"${tag}"`))
    .map(({ streamId }) => streamId);

const store = memoryStore();
/** The newest message when an action was decided. */
const known = new Map<string, KnownMessage>();
const waiting = new Map<string, (event: ActionSettled) => void>();

beforeEach(async () => {
  sandbox = await startSandbox({ port: 0 });
  client = createPlatformClient({
    baseUrl: sandbox.baseUrl,
    applicationId: 'demo',
    secret: 'sandbox-secret',
    deadlineMs: DEADLINE_MS,
  });
  const { room } = await client.createRoom({
    room: { alias: 'lobby', name: 'Lobby', description: '', options: [] },
  });
  place = { kind: 'room', id: room.roomId };
  ({ streamId } = sandbox.publish({ roomId: room.roomId, screenName: 'Ann', capabilities: ['streaming'] }));
  outbox = createOutbox({
    actions: store.actions,
    perform: createPerform({
      client,
      operator: { ban: () => Promise.resolve() },
      clock: systemClock,
      webhookOf: () => undefined,
      history: {
        messageBefore: ({ id }) => Promise.resolve(known.get(id)),
        streamOf: ({ id }) => Promise.resolve(startedWith(`op:${id}`)[0]),
      },
    }),
    budget: createRequestBudget({ clock: systemClock, maxPerSecond: 1_000 }),
    clock: systemClock,
    onSettled: ({ event }) => event.type === 'action.settled' && waiting.get(event.action)?.(event),
    log: { info() {}, warn() {}, error() {} },
    count() {},
    deadlineMs: DEADLINE_MS,
    graceMs: GRACE_MS,
    backoff: { firstMs: 20, capMs: 100 },
  });
  await outbox.start();
});

afterEach(async () => {
  await outbox.drain(1_000);
  await client.close();
  await sandbox.close();
});

let ordinal = 0;
async function perform(deed: (id: string) => Action): Promise<ActionSettled> {
  const id = `sandbox-${(ordinal += 1)}`;
  const settled = new Promise<ActionSettled>((resolve) => waiting.set(id, resolve));
  const { messages } = await client.listMessages({ roomId: place.id });
  const newest = messages.at(-1);
  if (newest) known.set(id, { messageId: newest.messageId, at: newest.timestamp });
  outbox.enqueue(await intend(store.lanes, 'room:lobby', deed(id)));
  return settled;
}

const fates: readonly [string, RequestFaultRule | undefined][] = [
  ['that goes well', undefined],
  ['that is refused for lack of capacity', { status: 503, count: 2 }],
  ['that is lost', { reset: true }],
  ['that happened although its answer was lost', { reset: true, commit: true }],
  ['that happened although a gateway answered', { status: 502, body: '<html>', commit: true }],
  ['that hangs', { hang: true }],
];

describe('the sandbox sees exactly one', () => {
  test.each(fates)('message %s', async (_, fault) => {
    if (fault) sandbox.failNext({ operation: 'sendMessage', ...fault });
    const settled = await perform((id) => action('message.send', id, { place }));
    const { messages } = await client.listMessages({ roomId: place.id });
    expect(settled).toMatchObject({ outcome: 'performed', result: { messageId: messages[0]?.messageId } });
    expect(messages).toHaveLength(1);
  });

  test.each(fates)('transcoding %s', async (_, fault) => {
    if (fault) sandbox.failNext({ operation: 'createTranscoding', ...fault });
    const spec = {
      streamId,
      type: 'HLS',
      quality: 'sd',
      onDemand: false,
      capabilities: [],
      tags: [],
    } as const;
    const settled = await perform((id) => action('transcoding.start', id, { place, spec }));
    expect(settled.outcome).toBe('performed');
    const { transcodingId } = settled.result;
    expect(transcodingId).toBeDefined();
    const stopped = await perform((id) =>
      action('transcoding.stop', id, { place, transcodingId: transcodingId ?? '' }),
    );
    expect(stopped).toMatchObject({ outcome: 'performed', detail: 'transcoding stopped' });
  });

  test.each(fates)('end of a stream %s', async (_, fault) => {
    if (fault) sandbox.failNext({ operation: 'terminateStream', ...fault });
    const settled = await perform((id) => action('stream.terminate', id, { place, streamId }));
    expect(settled.outcome).toBe('performed');
    const { members } = await client.listRoomMembers({ roomId: place.id });
    expect(members.flatMap(({ streams }) => streams)).toEqual([]);
  });

  test.each(fates)('composition %s', async (_, fault) => {
    if (fault) sandbox.failNext({ operation: 'createComposition', ...fault });
    const spec = { inputs: [{ streamId }], capabilities: [], tags: [] };
    const settled = await perform((id) => action('composition.start', id, { place, spec }));
    const composed = startedWith(`op:${settled.action}`);
    expect(settled).toMatchObject({ outcome: 'performed', result: { compositionId: composed[0] } });
    expect(composed).toHaveLength(1);
  });

  test.each(fates)('purge of a room %s', async (_, fault) => {
    await perform((id) => action('message.send', id, { place }));
    if (fault) sandbox.failNext({ operation: 'purgeMessages', ...fault });
    const settled = await perform((id) => action('room.purge', id, { place }));
    expect(settled.outcome).toBe('performed');
    const purges = sandbox.requests().filter(({ operation }) => operation === 'purgeMessages');
    expect(purges).toHaveLength(fault && !fault.commit ? 1 + Number(fault.count ?? 1) : 1);
    const { messages } = await client.listMessages({ roomId: place.id });
    expect(messages).toEqual([]);
  });
});
