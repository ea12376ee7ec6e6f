import { dirname, join } from 'node:path';
import { describeError } from '../errors.ts';
import { parseTermList } from '../text/index.ts';
import type { ListSpec } from '../text/index.ts';
import type { ListOptions } from './bot-schema.ts';
import type { Findings } from './finding.ts';
import { Spot } from './spot.ts';
import type { TextIndex } from './text-index.ts';

/** Reads a list of words (its file relative to the bot's own) into the bot's texts; returns what it became. */
export function compileList(
  name: string,
  options: ListOptions,
  spot: Spot,
  use: {
    readonly text: TextIndex;
    readonly findings: Findings;
    readonly readFile: (path: string) => string;
  },
): ListSpec {
  const fromFile = options.file === undefined ? undefined : readTerms(options.file, spot, use);
  const terms = [...(options.terms ?? []), ...(fromFile?.terms ?? [])];
  if (terms.length === 0 && (fromFile?.read ?? options.terms === undefined))
    use.findings.warn(spot, `the list "${name}" has no words in it: it never finds anything`);
  const spec: ListSpec = {
    terms,
    ...(options.match && { match: options.match }),
    ...(options.fold && { fold: options.fold }),
    ...(options.allow && { allow: options.allow }),
  };
  use.text.addList(name, { spec, spot, ...(fromFile && { locate: fromFile.locate }) });
  return spec;
}

function readTerms(
  file: string,
  spot: Spot,
  use: { readonly findings: Findings; readonly readFile: (path: string) => string },
): { readonly terms: readonly string[]; readonly read: boolean; readonly locate: (term: string) => Spot } {
  const path = join(dirname(spot.file), file);
  const lineOf = (line: number): Spot =>
    new Spot({ file: path, path: [], at: { line, col: 1 }, value: undefined });
  let text: string;
  try {
    text = use.readFile(path);
  } catch (error) {
    use.findings.error(
      spot.get('file') ?? spot,
      `cannot read ${path}: ${describeError(error)}; the path counts from the bot file`,
    );
    return { terms: [], read: false, locate: () => spot };
  }
  const { terms, problems } = parseTermList(text);
  for (const { line, message } of problems) use.findings.error(lineOf(line), message);
  const lines = text.split(/\r\n|[\n\r]/);
  return {
    terms,
    read: true,
    locate: (term) => lineOf(lines.findIndex((one) => one.includes(term)) + 1),
  };
}
