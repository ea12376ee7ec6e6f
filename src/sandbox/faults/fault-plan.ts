import type { Random } from '../random.ts';
import type { RequestFault, WebhookFault } from './rules.ts';

/** A rule in force, and how often it struck. */
export interface ArmedFault {
  readonly id: string;
  readonly struck: number;
  readonly rule: RequestFault | WebhookFault;
}

interface Armed<F> {
  readonly id: string;
  readonly fault: F;
  skip: number;
  left: number;
  struck: number;
  /** Of a quota: what may pass now, and since when. */
  allowance: number;
  countedAt: number;
}

/** The rules in force, oldest first; the first that is aimed at a candidate and strikes wins. */
export class FaultPlan {
  readonly #random: Random;
  readonly #now: () => number;
  #armed: Armed<RequestFault | WebhookFault>[] = [];
  #made = 0;

  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  add(fault: RequestFault | WebhookFault): string {
    const id = `fault-${++this.#made}`;
    const endless =
      fault.count === 'always' ||
      (fault.count === undefined && (fault.probability !== undefined || quotaOf(fault) !== undefined));
    const left = endless ? Infinity : Number(fault.count ?? 1);
    this.#armed.push({
      id,
      fault,
      skip: fault.skip ?? 0,
      left,
      struck: 0,
      allowance: quotaOf(fault) ?? 0,
      countedAt: this.#now(),
    });
    return id;
  }

  forRequest(name: string, number: number): (RequestFault & { readonly id: string }) | undefined {
    if (this.#armed.length === 0) return undefined;
    return this.#strike((fault): fault is RequestFault => {
      if ('webhook' in fault) return false;
      return fault.operation === '*' || fault.operation === name || fault.operation === number;
    });
  }

  forNotification(what: string): (WebhookFault & { readonly id: string }) | undefined {
    if (this.#armed.length === 0) return undefined;
    return this.#strike(
      (fault): fault is WebhookFault =>
        'webhook' in fault && (fault.what === undefined || fault.what === what),
    );
  }

  list(): readonly {
    readonly id: string;
    readonly struck: number;
    readonly rule: RequestFault | WebhookFault;
  }[] {
    return this.#armed.map(({ id, struck, fault }) => ({ id, struck, rule: fault }));
  }

  /** Takes back one rule, or all. */
  clear(id?: string): void {
    this.#armed = id === undefined ? [] : this.#armed.filter((armed) => armed.id !== id);
  }

  #strike<F extends RequestFault | WebhookFault>(
    aimed: (fault: RequestFault | WebhookFault) => fault is F,
  ): (F & { readonly id: string }) | undefined {
    for (const armed of this.#armed) {
      const { fault } = armed;
      if (armed.left <= 0 || !aimed(fault)) continue;
      if (armed.skip > 0) {
        armed.skip--;
        continue;
      }
      if (fault.probability !== undefined && this.#random() >= fault.probability) continue;
      if (this.#isWithinQuota(armed)) continue;
      armed.left--;
      armed.struck++;
      return { ...fault, id: armed.id };
    }
    return undefined;
  }

  /** A token bucket that holds one second's worth. */
  #isWithinQuota(armed: Armed<RequestFault | WebhookFault>): boolean {
    const quota = quotaOf(armed.fault);
    if (quota === undefined) return false;
    const now = this.#now();
    armed.allowance = Math.min(
      Math.max(1, quota),
      armed.allowance + ((now - armed.countedAt) / 1_000) * quota,
    );
    armed.countedAt = now;
    if (armed.allowance < 1) return false;
    armed.allowance--;
    return true;
  }
}

const quotaOf = (fault: RequestFault | WebhookFault): number | undefined =>
  'webhook' in fault ? undefined : fault.perSecond;
