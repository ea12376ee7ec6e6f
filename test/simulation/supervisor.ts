import type { Log } from '../../src/daemon/log.ts';
import type { Bot } from '../../src/plugin/bot.ts';
import { simulatedBots } from './bots.ts';
import { startDaemon, type SimulatedDaemon } from './daemon.ts';
import type { Disk } from './disk.ts';
import { fateOfLife } from './fate-of-life.ts';
import { createLife, type Life } from './life.ts';
import type { Network } from './network.ts';
import type { Random } from '../../src/sandbox/random.ts';
import type { Timeline } from './timeline.ts';
import { between, type Weather } from './weather.ts';
import type { Witness } from './witness.ts';

/** Begins one life of the daemon after the other, and ends, freezes, stops and reloads them as the weather will have it. */
export interface Supervisor {
  begin(): void;
  /** No harm comes to the daemon from now on. */
  calm(): void;
  /** Undefined while none is up. */
  readonly daemon: SimulatedDaemon | undefined;
  readonly crashes: number;
  readonly freezes: number;
}

export function createSupervisor(of: {
  readonly timeline: Timeline;
  readonly weather: Weather;
  readonly disk: Disk;
  readonly network: Network;
  readonly witness: Witness;
  readonly draw: (what: string) => Random;
  /** Within this time, ms, reloads and stops come. */
  readonly withinMs: number;
  readonly note: (line: string) => void;
  /** A part told of a bug of ours. */
  readonly broke: (what: string) => void;
}): Supervisor {
  const { timeline, weather, disk, network, witness, draw, note } = of;
  const chaos = draw('chaos');
  let death = fateOfLife(chaos);
  let frost = fateOfLife(chaos);
  let quiet = false;
  let lives = 0;
  let crashes = 0;
  let freezes = 0;
  let life: Life | undefined;
  let daemon: SimulatedDaemon | undefined;

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

  const botsOf = (at: Life): readonly Bot[] =>
    simulatedBots((event) => at.alive && witness.hears(at.number, event));

  const logOf = (at: Life): Log => {
    const line = (level: string) => (data: object, message: string) => {
      if (!at.alive) return;
      note(`  ${level} ${message} ${JSON.stringify(data)}`);
      if (/\bbug\b|fault of ours/.test(message)) of.broke(`${message} ${JSON.stringify(data)}`);
    };
    // Of pino's logger the ring uses these three, in this form.
    return { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Log;
  };

  function begin(): void {
    const now = createLife(timeline, (lives += 1), crossing);
    life = now;
    note(`life ${now.number} begins`);
    void startDaemon({
      life: now,
      disk: disk.open(now),
      transport: network.transport(now),
      bots: botsOf(now),
      random: draw(`life ${now.number}`),
      log: logOf(now),
    })
      .then((started) => {
        if (now.alive) daemon = started;
        return started;
      })
      .catch((error: unknown) => {
        note(`life ${now.number} could not start: ${String(error)}`);
        if (now.alive) end(now, 2_000);
      });
  }

  const reload = (): void => {
    if (quiet || daemon === undefined || life === undefined) return;
    note(`life ${life.number} gets the same bots anew`);
    daemon.ring.use(botsOf(life));
  };

  /** As an operator stops it: nothing new comes in, what is under way is finished in time. */
  const stop = (): void => {
    const [at, stopping] = [life, daemon];
    if (quiet || at === undefined || stopping === undefined) return;
    note(`life ${at.number} is stopped`);
    daemon = undefined;
    void stopping.stop().then(({ left }) => {
      note(`life ${at.number} has stopped, ${left} actions are left`);
      return end(at, between(chaos, 500, 5_000));
    });
  };

  const sometime = (): number => between(chaos, 0, of.withinMs);
  for (let nth = 0; nth < weather.reloads; nth += 1) timeline.after(sometime(), reload);
  for (let nth = 0; nth < weather.stops; nth += 1) timeline.after(sometime(), stop);

  return {
    begin,
    calm() {
      quiet = true;
    },
    get daemon() {
      return daemon;
    },
    get crashes() {
      return crashes;
    },
    get freezes() {
      return freezes;
    },
  };
}
