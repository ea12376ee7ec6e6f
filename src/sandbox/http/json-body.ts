/** What a request carried. `bad` is text that is not JSON, or JSON that is no object. */
export type JsonBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'bad' };

export function jsonBody(raw: string): JsonBody {
  if (raw === '') return { kind: 'none' };
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? { kind: 'object', value } : { kind: 'bad' };
  } catch {
    return { kind: 'bad' }; // told to the sender as a 400
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
