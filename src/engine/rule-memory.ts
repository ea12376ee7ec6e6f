import type { Memory, Plain } from '../domain/memory.ts';
import type { LaneState } from './lane-state.ts';

/** What one rule remembers in one place: a corner of the lane's state that no other rule sees. */
export class RuleMemory implements Memory {
  readonly #state: LaneState;
  readonly #namespace: string;

  /** `namespace`: mode, bot and rule. */
  constructor(state: LaneState, namespace: string) {
    this.#state = state;
    this.#namespace = namespace;
  }

  get(key: string): Plain | undefined {
    const remembered = this.#state.memory.get(`${this.#namespace}/${key}`);
    return remembered && remembered.until > this.#state.now ? remembered.value : undefined;
  }

  set(key: string, value: Plain, options: { readonly forMs: number }): void {
    this.#state.memory.set(`${this.#namespace}/${key}`, { value, until: this.#state.now + options.forMs });
  }

  delete(key: string): void {
    this.#state.memory.delete(`${this.#namespace}/${key}`);
  }
}
