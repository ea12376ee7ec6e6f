import type { Operation, OperationName } from '../../platform/index.ts';
import { OPERATION_NAMES, operations } from '../../platform/index.ts';

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly byMethod: Map<string, { readonly name: OperationName; readonly params: readonly string[] }>;
}

/** What a request is aimed at; `media` is a segment behind a playlist. */
export type Route =
  | {
      readonly to: 'operation';
      readonly name: OperationName;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly to: 'media' }
  | { readonly to: 'malformed'; readonly hint: string; readonly rawHash: boolean }
  | { readonly to: 'nothing' };

const node = (): Node => ({ literals: new Map(), parameter: undefined, byMethod: new Map() });
const segments = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** Finds the operation of a raw request target. Each segment is decoded exactly once, so `%2523` stays `%23`. */
export function createRouter(
  prefixes: Readonly<Record<Operation['prefix'], string>>,
): (method: string, path: string) => Route {
  const root = node();
  for (const name of OPERATION_NAMES) {
    const { method, prefix, path } = operations[name];
    const params: string[] = [];
    let at = root;
    for (const part of segments(prefixes[prefix] + path)) {
      const parameter = /^\{(.+)\}$/.exec(part)?.[1];
      if (parameter !== undefined) params.push(parameter);
      at = parameter === undefined ? literal(at, part) : (at.parameter ??= node());
    }
    at.byMethod.set(method, { name, params });
  }
  const videoDepth = segments(prefixes.video).length;
  const video = prefixes.video === '' ? '/' : `${prefixes.video}/`;

  return (method, path) => {
    if (path.includes('#')) return malformed('Encode # as %23.', true);
    const values: string[] = [];
    const parts = path.split('/');
    let at: Node | undefined = root;
    for (let i = 1; i < parts.length && at !== undefined; i++) {
      const part = parts[i] ?? '';
      const next: Node | undefined = at.literals.get(part);
      if (next === undefined && at.parameter !== undefined && part !== '') {
        const value = decode(part);
        if (value === undefined)
          return malformed('A percent sign is not followed by two hex digits of UTF-8.', false);
        values.push(value);
        at = at.parameter;
      } else at = next;
    }
    const found = at?.byMethod.get(method);
    if (found !== undefined) {
      const params: Record<string, string> = {};
      for (const [i, param] of found.params.entries()) params[param] = values[i] ?? '';
      return { to: 'operation', name: found.name, params };
    }
    const isMedia = method === 'GET' && path.startsWith(video) && parts.length > videoDepth + 4;
    return { to: isMedia ? 'media' : 'nothing' };
  };
}

const malformed = (hint: string, rawHash: boolean): Route => ({ to: 'malformed', hint, rawHash });

function literal(at: Node, part: string): Node {
  const known = at.literals.get(part);
  if (known !== undefined) return known;
  const made = node();
  at.literals.set(part, made);
  return made;
}

function decode(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // told to the sender as a 400
  }
}
