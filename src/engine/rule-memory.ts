import type { Memory, Plain } from '../domain/memory.ts';
import { UsherError } from '../errors.ts';
import type { LaneState } from './lane-state.ts';
import { weightOf } from './memory-parts.ts';

/** A value is read and written whole with each change. */
const MOST_OF_A_VALUE = 256 * 1024;
/** Some 50,000 members with a few times each. */
const MOST_OF_A_RULE = 8 * 1024 * 1024;
const LONGEST_KEY = 1_024;

/** A rule wants to remember more than it may: it loses the event, and the error is journaled. */
export class MemoryLimitError extends UsherError {
  constructor(what: string, limit: number) {
    super(
      'memory-limit',
      `${what} The limit is ${limit} bytes: remember less of each, give entries a shorter \`forMs\`, and delete what is over.`,
      { data: { limit } },
    );
  }
}

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

  set(key: string, value: Plain, { forMs }: { readonly forMs: number }): void {
    if (typeof key !== 'string' || key.length > LONGEST_KEY)
      throw new TypeError(`A key to remember by is a text of at most ${LONGEST_KEY} characters.`);
    if (!Number.isFinite(forMs))
      throw new TypeError(`"${key}" is to be remembered for ${forMs}, which is no time in ms.`);
    const { memory, now } = this.#state;
    const name = `${this.#namespace}/${key}`;
    const plain = plainCopy(key, value);
    const weight = weightOf(name, plain);
    if (weight > MOST_OF_A_VALUE)
      throw new MemoryLimitError(
        `What is to be remembered as "${key}" has ${weight} bytes.`,
        MOST_OF_A_VALUE,
      );
    const others = (): number => (memory.sums.get(this.#namespace) ?? 0) - memory.weight(name);
    if (others() + weight > MOST_OF_A_RULE) this.#forgetExpired();
    if (others() + weight > MOST_OF_A_RULE)
      throw new MemoryLimitError(`The rule remembers ${others()} bytes in this place.`, MOST_OF_A_RULE);
    memory.set(name, { value: plain, until: now + forMs });
  }

  delete(key: string): void {
    this.#state.memory.delete(`${this.#namespace}/${key}`);
  }

  #forgetExpired(): void {
    const { memory, now } = this.#state;
    for (const [name, { until }] of memory)
      if (until <= now && name.startsWith(`${this.#namespace}/`)) memory.delete(name);
  }
}

/** What will be there after a restart: a rule that goes on to change what it gave changes nothing. */
function plainCopy(key: string, value: unknown): Plain {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const text = typeof value === 'object' ? (JSON.stringify(value) as string | undefined) : undefined;
  if (text === undefined)
    throw new TypeError(
      `"${key}" is to hold ${typeof value === 'number' ? value : `a ${typeof value}`}: only plain data can be remembered.`,
    );
  return JSON.parse(text) as Plain; // JSON is plain data
}
