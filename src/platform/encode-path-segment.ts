/** C0, DEL and C1. */
const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * An identifier as one percent-encoded path segment, or the reason why it cannot be one: `.` and `..` would climb out of
 * the path, control characters and lone surrogates have no agreed bytes.
 */
export function encodePathSegment(value: string): { readonly segment: string } | { readonly fault: string } {
  if (value === '') return { fault: 'is empty' };
  if (value === '.' || value === '..') return { fault: `is "${value}", which a path cannot carry` };
  if (CONTROL.test(value)) return { fault: 'contains a control character' };
  if (LONE_SURROGATE.test(value)) return { fault: 'is not well-formed Unicode' };
  return { segment: encodeURIComponent(value) };
}
