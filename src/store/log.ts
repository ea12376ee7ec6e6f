/** The part of a logger that the store uses: a message, with the facts before it. */
export interface Log {
  warn(facts: object, message: string): void;
}
