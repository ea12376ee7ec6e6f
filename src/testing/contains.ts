/** Whether `actual` has everything that `expected` says; lists must be equal in length and order. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (Object.is(actual, expected)) return true;
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    return false;
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((part, index) => contains(actual[index], part))
    );
  }
  return Object.entries(expected).every(
    // Both are objects; a field that is missing is undefined and equals nothing that was asked for.
    ([name, part]) => contains((actual as Readonly<Record<string, unknown>>)[name], part),
  );
}
