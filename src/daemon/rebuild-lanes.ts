import { withId } from '../domain/event-id.ts';
import type { ActionSettled } from '../domain/event.ts';
import type { LaneKey } from '../domain/lane-key.ts';
import type { Plain } from '../domain/memory.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Ban, Journaled, LaneCommit, LaneDocument } from '../engine/ports.ts';
import type { KeptResource } from '../engine/records.ts';
import type { Bot } from '../plugin/bot.ts';
import type { LaneRebuild } from '../store/lane-rebuild.ts';
import { placeOfKey } from '../domain/place.ts';

/** What a rebuild came to. */
export interface Rebuilt {
  readonly events: number;
  readonly lanes: number;
}

/**
 * Makes the state of all lanes again from the journal alone: the engine of the daemon handles every event once more,
 * muted. Nothing that it decides is kept or done; what became of the actions of that time, it reads in the journal like
 * any other event. Time is the journal's.
 */
export async function rebuildLanes(
  source: LaneRebuild,
  { bots, bans }: { readonly bots: readonly Bot[]; readonly bans: readonly Ban[] },
): Promise<Rebuilt> {
  const lanes = new Map<LaneKey, LaneDocument & { parts: Record<string, Plain> }>();
  let now = 0;
  let last = 0;
  let events = 0;

  const collect = ({ lane, handled, parts, wakeAt }: LaneCommit): void => {
    const known = lanes.get(lane);
    const all = known?.parts ?? {};
    for (const [name, part] of Object.entries(parts)) {
      if (part === null) delete all[name];
      else all[name] = part;
    }
    const position = handled.findLast((seq) => seq <= last) ?? known?.position ?? 0;
    lanes.set(lane, { lane, wakeAt, parts: all, position: Math.max(position, known?.position ?? 0) });
  };
  const silent = (): void => undefined;
  const engine = createEngine({
    journal: {
      // What the engine finds out itself stands in the journal already.
      append: async (given) => given.map(() => 'duplicate' as const),
      undone: async () => [],
      read: async () => [],
      find: async () => undefined,
    },
    lanes: {
      load: async () => undefined,
      list: async () => [],
      async commit(commit) {
        collect(commit);
        return [];
      },
    },
    sink: { enqueue: silent },
    clock: { now: () => now, monotonic: () => now, after: () => silent },
    bots,
    bans: () => bans,
    log: { info: silent, warn: silent, error: silent },
  });
  await engine.start();

  for (const page of source.pages()) {
    now = Math.max(now, page.at(-1)?.event.seenAt ?? 0);
    last = page.at(-1)?.seq ?? last;
    events += page.length;
    await handle(engine, page);
  }
  const open = source.openActions();
  const waiting = [...lanes.values()].flatMap((lane) => outcomesMissing(lane, open, now));
  await handle(
    engine,
    waiting.map((event, index) => ({ ...event, seq: last + 1 + index })),
  );
  await engine.stop();
  source.replace(lanes.values());
  return { events, lanes: lanes.size };
}

async function handle(engine: Engine, rows: readonly Journaled[]): Promise<void> {
  engine.deliver(rows);
  await engine.drain(Infinity);
}

/**
 * A keeper may wait for an action that was never an intent, because rules have changed since: it would wait for ever.
 * Each of them is told that it was not done.
 */
function outcomesMissing(
  { lane, parts }: LaneDocument,
  open: ReadonlySet<string>,
  now: number,
): { readonly lane: LaneKey; readonly event: ActionSettled }[] {
  const place = placeOfKey(lane);
  return Object.entries(parts).flatMap(([name, part]) => {
    if (!name.startsWith('resource/')) return [];
    const { pending, kind, phase, rule, bot } = part as unknown as KeptResource; // parts of that name are
    if (pending === undefined || open.has(pending)) return [];
    const verb = phase === 'starting' ? 'start' : phase === 'stopping' ? 'stop' : 'update';
    const event = withId<ActionSettled>({
      type: 'action.settled',
      at: now,
      seenAt: now,
      source: 'outcome',
      ...(place && { place }),
      action: pending,
      actionType:
        kind === 'transcoding'
          ? verb === 'stop'
            ? 'transcoding.stop'
            : 'transcoding.start'
          : `composition.${verb}`,
      bot,
      rule,
      outcome: 'refused',
      detail: 'decided by a rebuild only',
      result: {},
    });
    return [{ lane, event }];
  });
}
