import { callbackFor } from '../../src/daemon/callback.ts';
import type { Log } from '../../src/daemon/log.ts';
import type { PlaceDirectory } from '../../src/engine/ports.ts';
import { seededRandom } from '../../src/sandbox/random.ts';
import { simulatedBots } from './bots.ts';
import { PUBLIC_URL, startDaemon, type SimulatedDaemon } from './daemon.ts';
import { createDisk } from './disk.ts';
import { finding, type Finding } from './findings.ts';
import { whatIsMissing, whatWentWrong, type Evidence } from './judge.ts';
import { fateOfLife } from './fate-of-life.ts';
import { createLife, type Life } from './life.ts';
import { createNetwork, type RequestFault } from './network.ts';
import { createModelPlatform } from './platform.ts';
import { createPost, type NoticeFault } from './post.ts';
import { playShow, SHOW_MS } from './show.ts';
import { createTimeline } from './timeline.ts';
import { between, CALM, weatherOf, type Weather } from './weather.ts';
import { createWitness } from './witness.ts';

/** What a run came to. */
export interface Report {
  readonly seed: number;
  readonly findings: readonly Finding[];
  readonly weather: Weather;
  readonly crashes: number;
  readonly freezes: number;
  readonly requests: number;
  readonly events: number;
  readonly actions: number;
  readonly requestFaults: Partial<Record<RequestFault, number>>;
  readonly noticeFaults: Partial<Record<NoticeFault, number>>;
  /** From the end of the faults until all was as it should be, virtual ms. */
  readonly restAfterMs: number;
}

export interface SimulationOptions {
  /** Each line of what happened, in order. */
  readonly trace?: (line: string) => void;
}

/** Faults go on for a while after people have gone silent. */
const FAULTS_MS = SHOW_MS + 30_000;
/** All that is wrong by then stays wrong: documented retries and pauses of keepers are over. */
const PATIENCE_MS = 900_000;
/** How long everything must stay right once it is. */
const STAY_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

/** Runs the whole ring for a few minutes of virtual time, in the weather of the seed, and judges what came of it. */
export async function simulate(seed: number, { trace = () => {} }: SimulationOptions = {}): Promise<Report> {
  const draw = (what: string) => seededRandom(`${seed}/${what}`);
  const weather = weatherOf(draw('weather'));
  const timeline = createTimeline(draw('schedule'));
  const disk = createDisk(timeline, draw('disk'));
  const witness = createWitness(disk);
  const chaos = draw('chaos');
  const findings: Finding[] = [];
  const requestFaults: Partial<Record<RequestFault, number>> = {};
  const noticeFaults: Partial<Record<NoticeFault, number>> = {};
  const terminated = new Set<string>();
  const acknowledged = new Set<string>();
  const note = (line: string): void => trace(`${timeline.now().toFixed(1).padStart(9)} ${line}`);
  let requests = 0;
  let crashes = 0;
  let freezes = 0;
  let quiet = false;
  let life: Life | undefined;
  let daemon: SimulatedDaemon | undefined;

  const platform = createModelPlatform({
    timeline,
    random: draw('platform'),
    callback: callbackFor(PUBLIC_URL).callback,
    notify: (notice) => post.notify(notice),
    observe({ operation, body }) {
      if (operation === 'terminateStream') terminated.add(String(Reflect.get(Object(body), 'streamId')));
    },
  });
  const post = createPost({
    timeline,
    random: draw('post'),
    platform: () => platform,
    deliver: (parcel) => daemon?.deliver(parcel) ?? Promise.resolve(undefined),
    note(what, { what: kind, data }, fault) {
      if (fault) noticeFaults[fault] = (noticeFaults[fault] ?? 0) + 1;
      note(`notification ${kind} of ${data.streamId} ${what}${fault ? `, ${fault}` : ''}`);
      if (what === 'is answered 200') acknowledged.add(`${kind} ${data.streamId}`);
    },
  });
  const network = createNetwork({
    timeline,
    random: draw('network'),
    platform,
    note(what, { method, target }, fault) {
      if (what === 'is sent') requests += 1;
      if (what === 'is sent' && fault) requestFaults[fault] = (requestFaults[fault] ?? 0) + 1;
      note(`request ${method} ${target} ${what}${fault ? ` (${fault})` : ''}`);
    },
  });

  let death = fateOfLife(chaos);
  let frost = fateOfLife(chaos);
  const crossing = (at: Life, what: string): void => {
    if (quiet || !at.alive) return;
    if (freezes < weather.freezes && frost.comes(what)) {
      freezes += 1;
      frost = fateOfLife(chaos);
      const frozenMs = between(chaos, 1_000, 45_000);
      note(`life ${at.number} stands still for ${frozenMs.toFixed(0)} ms, ${what}`);
      at.freeze(frozenMs);
    }
    if (crashes >= weather.crashes || !death.comes(what)) return;
    crashes += 1;
    death = fateOfLife(chaos);
    note(`life ${at.number} dies, ${what}`);
    end(at, between(chaos, 100, 25_000));
  };

  const end = (at: Life, downMs: number): void => {
    at.die();
    if (life === at) daemon = undefined;
    timeline.after(downMs, begin);
  };

  const log = (of: Life): Log => {
    const line = (level: string) => (data: object, message: string) => {
      if (!of.alive) return;
      note(`  ${level} ${message} ${JSON.stringify(data)}`);
      if (/\bbug\b|fault of ours/.test(message))
        findings.push(finding('broken', `${message} ${JSON.stringify(data)}`));
    };
    // Of pino's logger the ring uses these three, in this form.
    return { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Log;
  };

  let lives = 0;
  const begin = (): void => {
    const now = createLife(timeline, (lives += 1), crossing);
    life = now;
    note(`life ${now.number} begins`);
    void startDaemon({
      life: now,
      disk: disk.open(now),
      transport: network.transport(now),
      bots: simulatedBots((event) => now.alive && witness.hears(now.number, event)),
      random: draw(`life ${now.number}`),
      log: log(now),
    })
      .then((started) => {
        if (now.alive) daemon = started;
        return started;
      })
      .catch((error: unknown) => {
        note(`life ${now.number} could not start: ${String(error)}`);
        if (now.alive) end(now, 2_000);
      });
  };

  for (let span = 0; span < weather.diskTrouble; span += 1) {
    const from = between(chaos, 0, FAULTS_MS * 0.8);
    timeline.after(from, () => disk.failWith('The disk is full.'));
    timeline.after(from + between(chaos, 100, 20_000), () => disk.failWith(undefined));
  }
  disk.slowness(weather.syncMs);
  network.faults(weather.requests);
  post.faults(weather.notifications);
  const truth = playShow({
    timeline,
    random: draw('show'),
    platform,
    note,
    knows: (sessionId) =>
      [...disk.journal.values()].some(
        ({ event }) => event.type === 'member.joined' && event.member.sessionId === sessionId,
      ),
  });
  begin();
  await timeline.run(FAULTS_MS);

  note('the weather clears');
  quiet = true;
  disk.failWith(undefined);
  disk.slowness(CALM.syncMs);
  network.faults(CALM.requests);
  post.faults(CALM.notifications);
  const evidence = (directory: PlaceDirectory): Evidence => ({
    truth,
    world: platform.world,
    disk,
    directory,
    terminated,
  });
  const missing = async (): Promise<readonly Finding[]> => {
    if (daemon === undefined) return [finding('lost', 'the daemon does not come back')];
    const { engine, outbox } = daemon.ring;
    const { open } = outbox.stats();
    const { undone } = engine.stats();
    return [
      ...(post.waiting > 0 ? [finding('lost', `${post.waiting} notifications wait for their answer`)] : []),
      ...(open > 0 ? [finding('lost', `${open} actions have no outcome`)] : []),
      ...(undone > 0 ? [finding('lost', `${undone} events are not handled`)] : []),
      ...whatIsMissing(evidence(engine.directory)),
    ];
  };
  let rightSince: number | undefined;
  let wrong = await missing();
  while (timeline.now() < FAULTS_MS + PATIENCE_MS) {
    rightSince = wrong.length > 0 ? undefined : (rightSince ?? timeline.now());
    if (rightSince !== undefined && timeline.now() - rightSince >= STAY_MS) break;
    await timeline.run(LOOK_EVERY_MS);
    wrong = await missing();
  }

  findings.push(...wrong, ...witness.misheard());
  if (wrong.length === 0) findings.push(...(await witness.counted()));
  if (daemon) findings.push(...whatWentWrong(evidence(daemon.ring.engine.directory)));
  for (const told of acknowledged) if (!isJournaled(told)) findings.push(finding('not journaled', told));
  for (const { fault, what } of findings) note(`${fault.toUpperCase()}: ${what}`);
  return {
    seed,
    findings,
    weather,
    crashes,
    freezes,
    requests,
    events: disk.journal.size,
    actions: disk.intents.size,
    requestFaults,
    noticeFaults,
    restAfterMs: (rightSince ?? timeline.now()) - FAULTS_MS,
  };

  /** `live` and `on-demand` have further parts in their id. */
  function isJournaled(told: string): boolean {
    const [kind = '', streamId = ''] = told.split(' ');
    const type = { started: 'stream.started', ended: 'stream.ended', live: 'stream.live' }[kind];
    const start = `${type ?? 'stream.onDemand'} ${streamId}`;
    return disk.journal.has(start) || [...disk.journal.keys()].some((id) => id.startsWith(`${start} `));
  }
}
