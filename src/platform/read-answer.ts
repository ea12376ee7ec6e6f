import type { Operation } from './operation.ts';
import type { WireAnswer } from './transport.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const HTML_TYPE = /^text\/html\b/i;

/** The JSON of an answer, undefined unless its media type says JSON and it parses (interface.md, "Errors" 2). */
export function jsonOf({ contentType, text }: Pick<WireAnswer, 'contentType' | 'text'>): unknown {
  if (!JSON_TYPE.test(contentType)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // announced as JSON and is none: the caller treats it as an arbitrary body
  }
}

/** The `status` field of a JSON answer, undefined where there is none. */
export function statusOf(json: unknown): string | undefined {
  const status: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'status') : undefined;
  return typeof status === 'string' ? status : undefined;
}

/** A result, a failure that the platform reports, or an answer that the interface does not promise. */
export type AnswerReading =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'failure' }
  | { readonly kind: 'misfit'; readonly fault: string };

const misfit = (fault: string): AnswerReading => ({ kind: 'misfit', fault });
const result = (value: unknown): AnswerReading => ({ kind: 'result', value });
const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Reads an answer by what the operations table says of its success. */
export function readAnswer({ response }: Pick<Operation, 'response'>, answer: WireAnswer): AnswerReading {
  const { status, text, contentType, location } = answer;
  if (response.kind === 'count' && status === 412) return result({ met: false });
  if (response.kind === 'redirect' && isRedirect(status))
    return location === '' ? misfit('a redirect without a location') : result({ location });
  if (isRedirect(status)) return misfit('a redirect where none is promised');
  if (!isSuccess(status)) return { kind: 'failure' };
  switch (response.kind) {
    case 'json': {
      const json = jsonOf(answer);
      if (json === undefined) return misfit('a success without a JSON body');
      if (statusOf(json) !== 'ok') return misfit('a success whose status is not "ok"');
      const parsed = response.schema.safeParse(json);
      if (parsed.success) return result(parsed.data);
      return misfit(
        parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      );
    }
    case 'count':
      return /^\s*\d{1,15}\s*$/.test(text)
        ? result({ met: true, count: Number(text) })
        : misfit('a count that is no number');
    case 'manifest':
      return JSON_TYPE.test(contentType) || HTML_TYPE.test(contentType)
        ? misfit(`a playlist with media type ${contentType}`)
        : result({ body: text, contentType });
    case 'redirect':
      return misfit('a success where a redirect is promised');
    default:
      return response satisfies never;
  }
}
