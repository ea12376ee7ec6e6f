import type { SandboxClock } from './clock.ts';
import type { Random } from './random.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const REGION = 'us-northeast';
const DATACENTER = 'US-ASHBURN-AD-1';
/** The counter of a room's messages begins again after this many digits are used up. */
const COUNTER_DIGITS = 6;

/** Mints ids in the look of a real platform, with `#` and `|` in them, from one seeded source. */
export class Ids {
  readonly #clock: SandboxClock;
  readonly #random: Random;

  constructor(clock: SandboxClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  text(length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += LETTERS[Math.floor(this.#random() * LETTERS.length)] ?? 'A';
    return text;
  }

  /** `us-northeast#US-ASHBURN-AD-1.wTa8U91C.20210408.PS39wE1G`; compositions and transcodings look the same. */
  stream(): string {
    const day = new Date(this.#clock.now()).toISOString().slice(0, 10).replaceAll('-', '');
    return `${REGION}#${DATACENTER}.${this.text(8)}.${day}.${this.text(8)}`;
  }

  /** `us-northeast#demo#mainStage.ky7cgenoYF1z`, for rooms and channels. */
  place(applicationId: string, alias: string): string {
    const words = alias.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const name = words
      .map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
      .join('');
    return `${REGION}#${applicationId}#${name || 'place'}.${this.text(12)}`;
  }

  session(): string {
    return `${REGION}#${this.text(22)}`;
  }

  streamKey(): string {
    return `${REGION}.${this.text(24)}`;
  }

  /** Ascends within a room as text, but for the one step at which the counter begins again. */
  message(roomId: string, count: number): string {
    const counter = String(count % 10 ** COUNTER_DIGITS).padStart(COUNTER_DIGITS, '0');
    return `${DATACENTER}.${roomId.slice(roomId.lastIndexOf('.') + 1)}|${this.#clock.now()}|${counter}`;
  }
}
