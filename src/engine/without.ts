/** A copy of a record that lacks one optional field. */
export function without<T extends object, K extends keyof T>(record: T, field: K): Omit<T, K> {
  const copy = { ...record };
  delete copy[field];
  return copy;
}
