import type { z } from 'zod';
import { encodePathSegment } from './encode-path-segment.ts';
import { InvalidRequestError, MessageLimitError } from './errors.ts';
import { messageExcess } from './message-limits.ts';
import type { Operation } from './operation.ts';
import { operations, type OperationName } from './operations.ts';
import { compositionToCreate } from './schemas/composition.ts';
import { messageToSend } from './schemas/message.ts';
import type { WireRequest } from './transport.ts';

/** What the client adds to every request. */
export interface RequestIdentity {
  readonly applicationId: string;
  readonly secret: string;
  readonly pathPrefix: string;
  readonly videoPrefix: string;
  /** Where tags of a composition go, since the interface shows two places (endpoint 29). */
  readonly compositionTags: 'composition' | 'request' | 'both';
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Fields that a schema dropped: nothing is to be sent, or left away, that the caller did not mean. */
function droppedFields(given: unknown, kept: unknown, path: string): string[] {
  if (!isObject(given) || !isObject(kept)) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return Object.hasOwn(kept, key)
      ? droppedFields(value, kept[key], `${path}.${key}`)
      : [`${path}.${key}: unknown field`];
  });
}

const issuesOf = (result: z.ZodSafeParseResult<unknown>): string[] =>
  result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);

const queryText = (query: Fields): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${key}=${encodeURIComponent(value)}`] : [],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

/** Puts tags where the option says, whichever place the caller gave them in. */
function placeTags(body: Fields, where: RequestIdentity['compositionTags']): Fields {
  const { composition, tags: outer } = body;
  const { tags: inner, ...rest } = compositionToCreate.parse(composition);
  const tags = inner ?? outer;
  if (tags === undefined) return body;
  return {
    composition: where === 'request' ? rest : { ...rest, tags },
    ...(where === 'composition' ? {} : { tags }),
  };
}

const acceptOf: Readonly<Record<Operation['response']['kind'], string>> = {
  json: 'application/json',
  count: 'text/plain, application/json',
  manifest: '*/*',
  redirect: '*/*',
};

/**
 * Makes requests from the operations table. Throws `InvalidRequestError` (every fault at once) or `MessageLimitError`
 * before anything is sent.
 */
export function createRequestBuilder(
  identity: RequestIdentity,
): (name: OperationName, input: Fields) => WireRequest {
  const { applicationId, secret, pathPrefix, videoPrefix, compositionTags } = identity;
  const basic = `Basic ${Buffer.from(`${applicationId}:${secret}`).toString('base64')}`;

  return (name, input) => {
    const operation: Operation = operations[name];
    const evidence = { operation: name, outcome: 'nothing', attempts: 0 } as const;
    const params = operation.params.safeParse({ ...input, applicationId });
    const query = operation.query.safeParse(input);
    const request = operation.request?.safeParse(input);

    const known = [operation.params, operation.query, operation.request].flatMap((schema) =>
      schema === null ? [] : Object.keys(schema.shape),
    );
    const faults = [params, query, ...(request === undefined ? [] : [request])].flatMap(issuesOf);
    for (const [key, value] of Object.entries(input)) {
      if (value === undefined) continue;
      if (!known.includes(key) || key === 'applicationId') faults.push(`${key}: unknown field`);
      else if (request?.success === true && key in request.data)
        faults.push(...droppedFields(value, request.data[key], key));
    }

    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
      const value: unknown = params.data?.[key];
      if (typeof value !== 'string') return ''; // told by the schema already
      const encoded = encodePathSegment(value);
      if ('segment' in encoded) return encoded.segment;
      faults.push(`${key}: ${encoded.fault}`);
      return '';
    });
    if (faults.length > 0) throw new InvalidRequestError(evidence, faults);

    let body: Fields | undefined = request?.data;
    if (name === 'sendMessage') {
      const excess = messageExcess(messageToSend.parse(body?.['message']));
      if (excess !== undefined) throw new MessageLimitError(evidence, excess);
    }
    if (name === 'createComposition' && body !== undefined) body = placeTags(body, compositionTags);
    if (operation.authentication === 'body') body = { applicationId, secret, ...body };

    const withHeader = operation.authentication === 'basic' || operation.authentication === 'basicOrBody';
    return {
      method: operation.method,
      target: (operation.prefix === 'svc' ? pathPrefix : videoPrefix) + path + queryText(query.data ?? {}),
      headers: {
        accept: acceptOf[operation.response.kind],
        ...(withHeader ? { authorization: basic } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      emptyBody: operation.emptyBody === true,
    };
  };
}
