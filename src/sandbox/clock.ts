/** How the sandbox tells time: `real` follows the machine and can be pushed ahead, `virtual` stands until advanced. */
export type ClockMode = 'real' | 'virtual';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The only time in the sandbox. Due timers run in order of their time, then of their making, each at its own time,
 * so a retry that was scheduled by an earlier timer falls where it would in real life.
 */
export class SandboxClock {
  readonly mode: ClockMode;
  #offset: number;
  #made = 0;
  #timers: Timer[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #line: Promise<unknown> = Promise.resolve();
  #settled: () => Promise<void> = async () => {};
  #closed = false;

  constructor(mode: ClockMode, startAt: number) {
    this.mode = mode;
    this.#offset = mode === 'virtual' ? startAt : startAt - Date.now();
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.mode === 'virtual' ? this.#offset : Date.now() + this.#offset;
  }

  /** Runs `run` once, `ms` from now; the answer takes it back. */
  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.now() + Math.max(0, ms), order: this.#made++, run };
    this.#timers.splice(this.#placeOf(timer), 0, timer);
    this.#arm();
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** What `advance` waits for before it moves on: requests that are under way and may set the next timer. */
  settleWith(settled: () => Promise<void>): void {
    this.#settled = settled;
  }

  /** Moves time ahead by `ms` and runs what falls due on the way; calls queue up behind each other. */
  advance(ms: number): Promise<void> {
    const move = this.#line.then(() => this.#advance(this.now() + ms));
    this.#line = move.catch(() => undefined);
    return move;
  }

  /** Forgets every timer; a closed clock takes no new ones into account. */
  close(): void {
    this.#closed = true;
    this.clear();
  }

  clear(): void {
    this.#timers = [];
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
  }

  async #advance(until: number): Promise<void> {
    for (;;) {
      await turn(); // what the last timer set going may set the next
      await this.#settled();
      const next = this.#timers[0];
      if (next === undefined || next.at > until) break;
      this.#timers.shift();
      this.#moveTo(next.at);
      next.run();
    }
    this.#moveTo(until);
    this.#arm();
  }

  #moveTo(at: number): void {
    const now = this.now();
    if (at > now) this.#offset += at - now;
  }

  #placeOf(timer: Timer): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#timers[middle];
      if (other !== undefined && other.at <= timer.at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #arm(): void {
    if (this.mode === 'virtual' || this.#closed) return;
    clearTimeout(this.#alarm);
    const next = this.#timers[0];
    if (next === undefined) return;
    const wait = Math.min(Math.max(0, next.at - this.now()), 0x7fffffff);
    this.#alarm = setTimeout(() => this.#runDue(), wait);
    this.#alarm.unref();
  }

  #runDue(): void {
    const now = this.now();
    for (let next = this.#timers[0]; next !== undefined && next.at <= now; next = this.#timers[0]) {
      this.#timers.shift();
      next.run();
    }
    this.#arm();
  }
}
