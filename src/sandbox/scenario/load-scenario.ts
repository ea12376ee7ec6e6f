import { readFile } from 'node:fs/promises';
import { isNode, isPair, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { ConfigurationError, describeError } from '../../errors.ts';
import type { Scenario } from './scenario.ts';
import { scenario } from './scenario.ts';

type Path = readonly PropertyKey[];

/** Reads a scenario file; everything that is wrong with it is told at once in a `ConfigurationError`. */
export async function loadScenario(file: string): Promise<Scenario> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError([`${file}:1:1 cannot be read: ${describeError(error)}`]);
  }
  return parseScenario(text, file);
}

/** `file` only names the text in findings: `file:line:col path: message`. */
export function parseScenario(text: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new ConfigurationError(document.errors.map((error) => `${at(error.pos[0])} ${error.message}`));
  const read = scenario.safeParse(document.toJS());
  if (read.success) return read.data;
  throw new ConfigurationError(
    read.error.issues.map((issue) => {
      const path =
        issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
      return `${at(offsetOf(document, path))} ${path.map(String).join('.') || 'scenario'}: ${issue.message}`;
    }),
  );
}

/** Where the path stands in the text: its key in a map, its item in a list, or the nearest thing around it. */
function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const last = path[depth - 1];
    if (typeof parent === 'object' && parent !== null && 'items' in parent && Array.isArray(parent.items)) {
      const item: unknown = parent.items.find((one: unknown, index) =>
        isPair(one) ? isNode(one.key) && String(one.key) === String(last) : index === last,
      );
      const node = isPair(item) ? item.key : item;
      if (isNode(node) && node.range) return node.range[0];
    }
  }
  return document.contents?.range?.[0] ?? 0;
}
