/** A case of a rule's test failed. Named as test runners name theirs, so that they print the message alone. */
export class RuleTestError extends Error {
  override readonly name = 'AssertionError';
  readonly code = 'ERR_ASSERTION';
}
