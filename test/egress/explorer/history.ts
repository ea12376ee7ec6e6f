import type { Action } from '../../../src/domain/action.ts';
import type { OutcomeKind } from '../../../src/domain/action.ts';
import type { Actions } from '../../../src/engine/ports.ts';
import { memoryStore } from '../../../src/store/memory-store.ts';
import { action as signed, intend, room } from '../actions.ts';
import { virtualClock } from '../virtual-clock.ts';
import type { Choices } from './choices.ts';
import { Life, type Fault } from './life.ts';
import type { Parts } from './parts.ts';
import { SHOWN_LATE_MS, World, type Shown } from './world.ts';

export const DEADLINE_MS = 10_000;
export const GRACE_MS = 30_000;
/** What a disk may take for a mark before the process counts as frozen, and a little. */
const SLOW_MARK_MS = 2_100;
/** The longest after we gave up that a request may land where GRACE holds. */
export const LATEST_LANDING_MS = GRACE_MS - DEADLINE_MS - SHOWN_LATE_MS - SLOW_MARK_MS;

const DOWN_MS = { short: 100, long: 120_000 } as const;
const CRASH = { crash: true, freeze: false } as const;
/** When all is over, whatever was still on its way. */
const END_MS = 2 * 3_600_000;

const FATES = ['ok', 'refused', 'no', 'lost', 'answer lost', 'lands later', 'lands last'] as const;
type RequestFate = (typeof FATES)[number];

/** Which histories there are. */
export interface Scope {
  readonly type: Action['type'];
  readonly parts: Parts;
  /** Faults in one history at most. */
  readonly faults: number;
  /** So many requests have any fate; later ones succeed. */
  readonly requests: number;
  readonly freezes?: 'alone' | 'succeeded';
  /** A process may also be down for two minutes. */
  readonly longDowns?: boolean;
  /** By so much the wall clock jumps at each mark and each start of a process. */
  readonly clockJumpMs?: number;
  /** Requests land up to so much later than GRACE allows. */
  readonly tooLateMs?: number;
}

export interface Verdict {
  /** How often it happened. */
  readonly effects: number;
  readonly outcome: OutcomeKind | undefined;
  readonly detail: string;
  /** The platform refused it for good. */
  readonly refused: boolean;
}

/** One history of one action, from its decision until nothing is on its way any more. */
export async function live(scope: Scope, choices: Choices): Promise<Verdict> {
  const { parts, type } = scope;
  const clock = virtualClock(1_800_000_000_000, 1);
  const jump = (): void => clock.set(scope.clockJumpMs ?? 0);
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const store = memoryStore({ now: () => clock.now() });
  const deed = signed(type, 'op', { decidedAt: clock.now() });
  const lives: Life[] = [];
  let faultsLeft = scope.faults;
  let requests = 0;
  let refused = false;
  let mayHaveLanded = false;
  let shown: Shown | undefined;

  /** A point where the process may end or stand still. What follows another without a step between is the same point. */
  const at = async (
    life: Life,
    point: string,
    may: { readonly crash: boolean; readonly freeze: boolean },
  ) => {
    if (faultsLeft === 0) return;
    const faults: Fault[] = may.crash ? ['crash'] : [];
    if (may.crash && scope.longDowns === true) faults.push('crash, long down');
    if (may.freeze && scope.freezes) faults.push(scope.freezes === 'alone' ? 'freeze' : 'freeze, succeeded');
    if (faults.length === 0) return;
    const fault = choices.pick(point, ['on', ...faults]);
    if (fault === 'on') return;
    faultsLeft -= 1;
    if (fault === 'freeze' || fault === 'freeze, succeeded') life.freeze();
    else life.kill();
    if (fault !== 'freeze') clock.after(fault === 'crash, long down' ? DOWN_MS.long : DOWN_MS.short, begin);
    await life.heard(Promise.resolve());
  };

  const landing = async <T>(afterMs: number, land: () => T): Promise<T> => {
    await pause(afterMs);
    return land();
  };

  async function wire<T>(life: Life, signal: AbortSignal | undefined, land: () => T): Promise<T> {
    if (scope.freezes === 'alone') await at(life, 'call begun', { crash: false, freeze: true });
    const platform = signal !== undefined && type !== 'notify.send';
    const fates: readonly RequestFate[] = !signal
      ? ['ok', 'refused']
      : FATES.filter((one) => one !== 'no' || !mayHaveLanded);
    const fate = requests < scope.requests ? choices.pick('request', fates) : 'ok';
    requests += 1;
    if (fate !== 'refused') mayHaveLanded = true;
    const gaveUp = (): Promise<unknown> =>
      Promise.race([
        pause(DEADLINE_MS),
        new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true })),
      ]);
    const unknown = (): Error => {
      const evidence = { operation: 'sendMessage', attempts: 1, outcome: 'unknown' } as const;
      const cause = new parts.platform.TransportError(evidence, 'broken');
      return platform ? new parts.platform.OutcomeUnknownError({ ...evidence, cause }) : cause;
    };
    const flight = async (): Promise<T> => {
      switch (fate) {
        case 'ok': {
          const answer = await landing(50, land);
          await pause(50);
          return answer;
        }
        case 'refused':
          await pause(50);
          throw signal
            ? new parts.platform.CapacityError({ operation: 'sendMessage', attempts: 1, outcome: 'nothing' })
            : new parts.StoreError('disk full');
        case 'no':
          await pause(50);
          refused = true;
          throw new parts.platform.InvalidRequestError({
            operation: 'sendMessage',
            attempts: 1,
            outcome: 'refused',
          });
        case 'lost':
          await gaveUp();
          throw unknown();
        case 'answer lost':
          await landing(50, land);
          throw unknown();
        case 'lands later':
          void landing(5_000, land).catch(() => {});
          await pause(50);
          throw unknown();
        case 'lands last':
          await gaveUp();
          void landing(LATEST_LANDING_MS + (scope.tooLateMs ?? 0), land).catch(() => {});
          throw unknown();
        default:
          return fate satisfies never;
      }
    };
    const flying = flight();
    flying.catch(() => {}); // a killed process hears no answer
    await at(life, 'call sent', CRASH);
    return flying;
  }

  const world = new World({
    clock,
    parts,
    wire,
    lives: () => lives,
    shown: () =>
      (shown ??= choices.pick(
        'shown',
        type === 'composition.start' ? ['at once', 'late', 'refused first'] : ['at once', 'late'],
      )),
  });

  function begin(): void {
    const life = new Life(clock);
    if (lives.length > 0) jump();
    lives.push(life);
    const perform = parts.createPerform({
      client: world.client(life),
      operator: { ban: (ban) => world.ban(life, ban) },
      clock: life.clock,
      webhookOf: () => 'https://example.org/hook',
      history: world.history(life),
    });
    const slow = async <T>(write: () => Promise<T>): Promise<T> => {
      await life.heard(pause(2));
      return write();
    };
    const actions: Actions = {
      open: () => life.heard(store.actions.open()),
      find: (id) => life.heard(store.actions.find(id)),
      async mark(...args) {
        await at(life, 'before mark', CRASH);
        await slow(() => store.actions.mark(...args));
        jump();
        await at(life, 'after mark', { crash: true, freeze: true });
      },
      async settle(...args) {
        await at(life, 'before settle', CRASH);
        const settled = await slow(() => store.actions.settle(...args));
        await at(life, 'after settle', CRASH);
        return settled;
      },
    };
    const outbox = parts.createOutbox({
      actions,
      // A notice goes to an address of the world's; all else about it is its own.
      perform: (one) =>
        one.type === 'notify.send'
          ? { ...perform(one), call: ({ signal }) => world.notice(life, one.id, signal) }
          : perform(one),
      budget: { take: () => Promise.resolve(), report() {}, rate: 1 },
      clock: life.clock,
      onSettled() {},
      log: {
        info() {},
        warn() {},
        error: (data, message) => {
          throw new Error(`${message}: ${JSON.stringify(data)}`);
        },
      },
      count() {},
      random: () => 0,
      deadlineMs: DEADLINE_MS,
      graceMs: GRACE_MS,
      hearingSinceMs: () => life.hearingSinceMs,
    });
    void (async () => {
      await outbox.start();
      if (await store.actions.find(deed.id)) return;
      // The engine handles the event again: it decides the same.
      await at(life, 'before intent', CRASH);
      outbox.enqueue(await slow(() => intend(store.lanes, `room:${room.id}`, deed)));
    })();
  }

  begin();
  await clock.advance(END_MS);
  const known = await store.actions.find(deed.id);
  return {
    effects: world.effects(deed),
    outcome: known?.outcome,
    detail: known?.detail ?? '',
    refused,
  };
}
