const HIDDEN = '[redacted]';
/** Field names of interface.md that hold secrets, and those that loggers and HTTP libraries use. */
const SECRET_FIELD = /^(?:.*secrets?|stream-?key|authorization|password|cookie|set-cookie|.*token)$/i;
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\b(\w*token=)[^&#\s"']+/gi, `$1${HIDDEN}`],
  [/\bDIGEST:[\w+/=-]+/g, HIDDEN],
  [/\b(Basic|Bearer|HMAC-SHA256)\s+[\w+/=.~-]+/g, `$1 ${HIDDEN}`],
  [/(\/\/[^/\s:@]*:)[^/\s@]+@/g, `$1${HIDDEN}@`],
];
/** Deeper than any object of the interface; what lies below is not shown. */
const MAX_DEPTH = 12;

/** `text` without tokens in URIs, edge tokens, credentials in headers and in addresses, and without `secrets`. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, HIDDEN);
  for (const [pattern, replacement] of SECRET_TEXT) clean = clean.replace(pattern, replacement);
  return clean;
}

const fieldsOf = (value: object): readonly (readonly [string, unknown])[] =>
  value instanceof Error
    ? [['name', value.name], ['message', value.message], ...Object.entries(value)]
    : Object.entries(value);

/**
 * A copy for logs: plain data without `secret`, `streamKey`, tokens and credentials, wherever they stand. Cycles, bytes
 * and great depth become a word. `secrets` are hidden in any text that holds them.
 *
 * @example
 * redact({ room: { alias: 'lobby', streamKey: 'k' } }); // { room: { alias: 'lobby', streamKey: '[redacted]' } }
 */
export function redact(value: unknown, secrets: readonly string[] = []): unknown {
  const above = new Set<object>();
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return redactText(part, secrets);
    if (typeof part === 'function') return '[function]';
    if (typeof part !== 'object' || part === null || part instanceof Date) return part;
    if (ArrayBuffer.isView(part)) return '[bytes]';
    if (above.has(part)) return '[circular]';
    if (above.size >= MAX_DEPTH) return '[deep]';
    above.add(part);
    const shown = Array.isArray(part)
      ? part.map((item) => copy(item))
      : Object.fromEntries(
          fieldsOf(part).map(([key, item]) => [
            key,
            SECRET_FIELD.test(key) && item !== undefined ? HIDDEN : copy(item),
          ]),
        );
    above.delete(part);
    return shown;
  };
  return copy(value);
}
