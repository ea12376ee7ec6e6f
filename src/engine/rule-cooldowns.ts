/**
 * Cooldowns that count for a rule in all its places. Each lane keeps what it began in its own state; here is the latest
 * of all that are in memory.
 */
export class RuleCooldowns {
  readonly #until = new Map<string, number>();

  until(namespace: string): number {
    return this.#until.get(namespace) ?? 0;
  }

  begin(namespace: string, until: number): void {
    if (until > this.until(namespace)) this.#until.set(namespace, until);
  }
}
