/** Headers by lower-case name, doubled ones as lists. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * From the raw headers in one pass, linear also where one name comes a thousand times. Node's own `headers` joins or
 * drops what is doubled, and `headersDistinct` makes a list of every one.
 */
export function headerValues(raw: readonly string[]): HeaderValues {
  const values: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const before = values[name];
    if (before === undefined) values[name] = value;
    else if (typeof before === 'string') values[name] = [before, value];
    else before.push(value);
  }
  return values;
}
