import type { BoundRule } from '../plugin/bot.ts';
import { ruleIdentity } from './rule-identity.ts';

const FAILURES_TO_QUARANTINE = 5;
const FIRST_BACK_OFF_MS = 1_000;
const FIRST_QUARANTINE_MS = 300_000;
const LONGEST_QUARANTINE_MS = 3_600_000;

interface Trouble {
  failures: number;
  quarantines: number;
  /** Ms since 1970. */
  notBefore: number;
  quarantined: boolean;
}

/**
 * A wall around each rule. One throw loses one event; throws in a row make the rule rest, at last in quarantine, from
 * where it gets one event to try each time the quarantine is over. One event that works ends the trouble. A changed
 * rule is another rule and begins without a record.
 */
export class Supervisor {
  readonly #now: () => number;
  readonly #troubles = new Map<string, Trouble>();
  readonly #resting: ReadonlySet<string>;
  #rules: ReadonlySet<string> = new Set();

  /** `now` in ms since 1970; rules that are `resting` get nothing until they are changed. */
  constructor(now: () => number, resting: Iterable<string> = []) {
    this.#now = now;
    this.#resting = new Set(resting);
  }

  /** The rules that there are from now on: the records of others are of rules that were changed, and go. */
  retain(rules: Iterable<string>): void {
    this.#rules = new Set(rules);
    for (const id of this.#troubles.keys()) if (!this.#rules.has(id)) this.#troubles.delete(id);
  }

  /** Whether the rule may have an event now. */
  ready(rule: BoundRule): boolean {
    if (this.#troubles.size === 0 && this.#resting.size === 0) return true;
    const id = identity(rule);
    if (this.#resting.has(id)) return false;
    const trouble = this.#troubles.get(id);
    return trouble === undefined || trouble.notBefore <= this.#now();
  }

  worked(rule: BoundRule): void {
    if (this.#troubles.size > 0) this.#troubles.delete(identity(rule));
  }

  /** Notes a throw; true when the rule is in quarantine from now on. */
  failed(rule: BoundRule): boolean {
    const now = this.#now();
    const id = identity(rule);
    const trouble = this.#troubles.get(id) ?? {
      failures: 0,
      quarantines: 0,
      notBefore: 0,
      quarantined: false,
    };
    this.#troubles.set(id, trouble);
    trouble.failures += 1;
    if (trouble.quarantined || trouble.failures >= FAILURES_TO_QUARANTINE) {
      trouble.quarantined = true;
      const forMs = Math.min(FIRST_QUARANTINE_MS * 2 ** trouble.quarantines, LONGEST_QUARANTINE_MS);
      trouble.quarantines += 1;
      trouble.notBefore = now + forMs;
      return true;
    }
    // The first throw may be the event's fault: the next event is tried at once.
    trouble.notBefore = trouble.failures < 2 ? 0 : now + FIRST_BACK_OFF_MS * 2 ** (trouble.failures - 2);
    return false;
  }

  /** `<bot>/<rule>` of all that are in quarantine. */
  get quarantined(): readonly string[] {
    const troubled = [...this.#troubles].filter(([, { quarantined }]) => quarantined).map(([id]) => id);
    const resting = [...this.#resting].filter((id) => this.#rules.has(id));
    return [...new Set([...resting, ...troubled])].map((id) => id.split('\n', 1)[0] ?? '');
  }
}

const identity = ({ bot, id, fingerprint }: BoundRule): string =>
  ruleIdentity({ bot, rule: id, fingerprint });
