import { callbackFor } from '../../src/daemon/callback.ts';
import type { Clock } from '../../src/engine/ports.ts';
import { seededRandom } from '../../src/sandbox/random.ts';
import { memoryStore } from '../../src/store/memory-store.ts';
import type { Store } from '../../src/store/store.ts';
import { PUBLIC_URL } from './daemon.ts';
import { createDisk } from './disk.ts';
import { finding, type Finding } from './findings.ts';
import { whatIsMissing, whatWentWrong, type Evidence } from './judge.ts';
import { createLife } from './life.ts';
import { createNetwork, type RequestFault } from './network.ts';
import { createModelPlatform } from './platform.ts';
import { createPost, type NoticeFault } from './post.ts';
import { playShow, SHOW_MS } from './show.ts';
import { createSupervisor } from './supervisor.ts';
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
  /** In place of the seed's own. */
  readonly weather?: Weather;
  /** In place of a store in memory. */
  readonly openStore?: (clock: Clock) => Promise<Store>;
}

/** A group of jobs begins in the next turn and ends in the one after it. */
const TURNS_OF_A_DATABASE = 4;

/** Faults go on for a while after people have gone silent. */
const FAULTS_MS = SHOW_MS + 30_000;
/** All that is wrong by then stays wrong: documented retries and pauses of keepers are over. */
const PATIENCE_MS = 600_000;
/** How long everything must stay right once it is. */
const STAY_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

/** Runs the whole ring for a few minutes of virtual time, in the weather of the seed, and judges what came of it. */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Report> {
  const { trace = () => {} } = options;
  const draw = (what: string) => seededRandom(`${seed}/${what}`);
  const weather = options.weather ?? weatherOf(draw('weather'));
  const timeline = createTimeline(draw('schedule'), options.openStore ? TURNS_OF_A_DATABASE : 1);
  const clock = createLife(timeline, 0, () => {}).clock;
  const durable = (await options.openStore?.(clock)) ?? memoryStore({ now: () => clock.now() });
  const disk = createDisk(timeline, draw('disk'), durable);
  const witness = createWitness(disk);
  const spells = draw('disk trouble');
  const findings: Finding[] = [];
  const requestFaults: Partial<Record<RequestFault, number>> = {};
  const noticeFaults: Partial<Record<NoticeFault, number>> = {};
  const terminated = new Set<string>();
  const acknowledged = new Set<string>();
  const note = (line: string): void => trace(`${timeline.now().toFixed(1).padStart(9)} ${line}`);
  let requests = 0;

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
    deliver: (parcel) => supervisor.daemon?.deliver(parcel) ?? Promise.resolve(undefined),
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

  const supervisor = createSupervisor({
    timeline,
    weather,
    disk,
    network,
    witness,
    draw,
    withinMs: FAULTS_MS,
    note,
    broke: (what) => void findings.push(finding('broken', what)),
  });

  for (let span = 0; span < weather.diskTrouble; span += 1) {
    const from = between(spells, 0, FAULTS_MS * 0.8);
    timeline.after(from, () => disk.failWith('The disk is full.'));
    timeline.after(from + between(spells, 100, 20_000), () => disk.failWith(undefined));
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
  supervisor.begin();
  await timeline.run(FAULTS_MS);

  note('the weather clears');
  supervisor.calm();
  disk.failWith(undefined);
  disk.slowness(CALM.syncMs);
  network.faults(CALM.requests);
  post.faults(CALM.notifications);
  const evidence: Evidence = { truth, world: platform.world, disk, terminated, acknowledged };
  const missing = (): readonly Finding[] => {
    const { daemon } = supervisor;
    if (daemon === undefined) return [finding('lost', 'the daemon does not come back')];
    const { engine, outbox } = daemon.ring;
    const waiting = {
      'notifications wait for their answer': post.waiting,
      'actions have no outcome': outbox.stats().open,
      'events are not handled': engine.stats().undone,
    };
    return [
      ...Object.entries(waiting).flatMap(([what, n]) => (n > 0 ? finding('lost', `${n} ${what}`) : [])),
      ...whatIsMissing(evidence, engine.directory),
    ];
  };
  let rightSince: number | undefined;
  let wrong = missing();
  // What went wrong for good is not mended by waiting.
  while (timeline.now() < FAULTS_MS + PATIENCE_MS && whatWentWrong(evidence).length === 0) {
    rightSince = wrong.length > 0 ? undefined : (rightSince ?? timeline.now());
    if (rightSince !== undefined && timeline.now() - rightSince >= STAY_MS) break;
    await timeline.run(LOOK_EVERY_MS);
    wrong = missing();
  }

  findings.push(...whatWentWrong(evidence), ...witness.misheard());
  if (findings.length === 0) findings.push(...wrong);
  if (findings.length === 0) findings.push(...(await witness.counted()));
  for (const { fault, what } of findings) note(`${fault.toUpperCase()}: ${what}`);
  return {
    seed,
    findings,
    weather,
    crashes: supervisor.crashes,
    freezes: supervisor.freezes,
    requests,
    events: disk.journal.size,
    actions: disk.intents.size,
    requestFaults,
    noticeFaults,
    restAfterMs: (rightSince ?? timeline.now()) - FAULTS_MS,
  };
}
