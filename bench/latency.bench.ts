/**
 * From a notification on the wire to the request that it causes, also on the wire: sandbox and daemon embedded in one
 * process on loopback, as in the demo, with the durable store. Streams start and end, 200 notifications a second over 50
 * rooms, and each start is answered by a transcoding.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationSchema } from '../src/daemon/configuration-schema.ts';
import { startDaemon } from '../src/daemon/daemon.ts';
import { createLog } from '../src/daemon/log.ts';
import { defineKeeper, transcoding, z } from '../src/plugin/index.ts';
import { compileBots } from '../src/language/compile-bots.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import type { Row } from './row.ts';

const ROOMS = 50;
const STARTS_PER_SECOND = 100;
const SECONDS = 12;
const WARM_UP_SECONDS = 3;
const LIVE_MS = 1_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const BOT = `version: 1
bot: producer
as: {screenName: Producer, role: Moderator}
rules: [{id: hls, use: every-stream, mode: enforce, grants: [transcoding.start, transcoding.stop]}]
`;

export async function run(): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'usher-latency-'));
  const sentAt = new Map<string, number>();
  const delays: number[] = [];
  let measuring = false;
  const sandbox = await startSandbox({
    playlistDelayMs: 'never',
    observe(activity) {
      if (activity.kind !== 'request' || activity.request.operation !== 'createTranscoding') return;
      const { transcoding: asked } = activity.request.body as { transcoding: { originStreamId: string } }; // the operation's shape
      const sent = sentAt.get(asked.originStreamId);
      if (sent !== undefined && measuring) delays.push(performance.now() - sent);
    },
  });
  const keeper = defineKeeper({
    name: 'every-stream',
    mayDo: ['transcoding.start', 'transcoding.stop'],
    options: z.strictObject({}),
    desired: (room) => [...room.streams.keys()].map((streamId) => transcoding(streamId, { type: 'HLS' })),
  });
  const compiled = compileBots({
    files: [{ path: 'bench.yaml', text: BOT }],
    env: {},
    plugins: new Map([[keeper.name, keeper]]),
    readFile: () => '',
  });
  if ('findings' in compiled) throw new Error(compiled.findings.join('\n'));
  const configuration = {
    ...configurationSchema.parse({
      platform: { baseUrl: sandbox.baseUrl, applicationId: sandbox.applicationId, secret: sandbox.secret },
      webhooks: { port: 0 },
      polling: { budget: '2000/s', members: { min: '2s', max: '5s' }, messages: { min: '2s', max: '5s' } },
      console: { port: 0, token: 'bench-token' },
    }),
    file: fileURLToPath(import.meta.url),
    data,
  };
  const rooms = Array.from({ length: ROOMS }, (_, index) => sandbox.createRoom({ alias: `room-${index}` }));
  const people = rooms
    .map(({ roomId }) =>
      Array.from({ length: 4 }, (_, index) => ({
        roomId,
        sessionId: sandbox.join({ roomId, screenName: `P${index}` }).sessionId,
      })),
    )
    .flat();
  const daemon = await startDaemon({
    configuration,
    bots: compiled.bots,
    log: createLog({ level: 'error' }),
  });
  await sleep(1_000);

  const started = performance.now();
  for (let sent = 0; sent < STARTS_PER_SECOND * (WARM_UP_SECONDS + SECONDS); sent += 1) {
    const due = started + (sent * 1_000) / STARTS_PER_SECOND;
    if (due > performance.now()) await sleep(due - performance.now());
    measuring = performance.now() - started > WARM_UP_SECONDS * 1_000;
    const who = people[sent % people.length];
    if (who === undefined) continue;
    const wire = performance.now();
    const { streamId } = sandbox.publish(who);
    sentAt.set(streamId, wire);
    setTimeout(() => sandbox.end({ streamId }), LIVE_MS);
  }
  await sleep(LIVE_MS + 1_000);
  await daemon.stop();
  await sandbox.close();
  rmSync(data, { recursive: true, force: true });

  const sorted = delays.toSorted((a, b) => a - b);
  const expected = STARTS_PER_SECOND * SECONDS;
  const [p50, p99] = [at(sorted, 0.5), at(sorted, 0.99)];
  return [
    {
      name: 'wire to wire: answered',
      value: sorted.length / expected,
      unit: 'x',
      target: '>= 0.99',
      ok: sorted.length >= expected * 0.99,
    },
    { name: 'wire to wire: p50', value: p50, unit: 'ms', target: '< 10', ok: p50 < 10 },
    { name: 'wire to wire: p99', value: p99, unit: 'ms', target: '< 50', ok: p99 < 50 },
  ];
}
