import type { Plain } from '../domain/memory.ts';
import { PartMap, type PartChanges } from './part-map.ts';
import type { Remembered } from './records.ts';

/** What an entry costs beside its key and value. */
const ENTRY_BYTES = 64;

/** What the rules of a place remember, and how much that is by rule: some bytes more or less, in characters of JSON. */
export class MemoryParts extends PartMap<Remembered> {
  readonly #weights = new Map<string, number>();
  readonly #sums = new Map<string, number>();

  constructor(changes: PartChanges) {
    super('memory', changes);
  }

  /** By namespace: mode, bot and rule. */
  get sums(): ReadonlyMap<string, number> {
    return this.#sums;
  }

  /** What is remembered under a key now; 0 where nothing is. */
  weight(key: string): number {
    return this.#weights.get(key) ?? 0;
  }

  override set(key: string, record: Remembered): this {
    this.#weigh(key, weightOf(key, record.value));
    return super.set(key, record);
  }

  override delete(key: string): boolean {
    this.#weigh(key, 0);
    return super.delete(key);
  }

  override restore(key: string, record: Plain): void {
    super.restore(key, record);
    const restored = this.get(key);
    if (restored) this.#weigh(key, weightOf(key, restored.value));
  }

  #weigh(key: string, weight: number): void {
    const before = this.#weights.get(key) ?? 0;
    if (weight === 0) this.#weights.delete(key);
    else this.#weights.set(key, weight);
    const namespace = key.split('/', 3).join('/');
    const sum = (this.#sums.get(namespace) ?? 0) + weight - before;
    if (sum === 0) this.#sums.delete(namespace);
    else this.#sums.set(namespace, sum);
  }
}

/** What a value under a key weighs. */
export const weightOf = (key: string, value: Plain): number =>
  ENTRY_BYTES + key.length + (typeof value === 'string' ? value.length : JSON.stringify(value).length);
