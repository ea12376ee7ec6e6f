import { checkShape } from './check-shape.ts';
import type { Planned } from './check-shape.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Findings } from './finding.ts';
import type { Spot } from './spot.ts';
import { isBareable } from './word.ts';
import type { Word } from './word.ts';

/** A word as it stands in a file: alone, or as the one key of a map with its value. */
export interface Written {
  readonly name: string;
  /** Where the word's options stand. */
  readonly spot: Spot;
  /** Where the word itself stands. */
  readonly at: Spot;
  readonly bare: boolean;
}

/** The word in `hide` or `{hide: matched}`; undefined for anything else. */
export function writtenWord(spot: Spot, value?: Spot): Written | undefined {
  if (value === undefined)
    return typeof spot.value === 'string'
      ? { name: spot.value, spot, at: spot.under(spot.value), bare: true }
      : undefined;
  const name = String(value.path.at(-1));
  return { name, spot: value, at: value.asKey(), bare: value.kind === 'empty' };
}

/** Finds the word in its table, or says that there is none of that name, with the nearest one. */
export function lookUp<W>(
  kind: string,
  { name, at }: Written,
  words: ReadonlyMap<string, W>,
  planned: Planned,
  findings: Findings,
): W | undefined {
  const word = words.get(name);
  if (word !== undefined) return word;
  const later = planned.get(name);
  findings.error(
    at,
    later === undefined
      ? `unknown ${kind} "${name.slice(0, 60)}"${didYouMean(name, words.keys()) || `, known are ${[...words.keys()].join(', ')}`}`
      : `unknown ${kind} "${name}": ${later}`,
  );
  return undefined;
}

/** The options of a word, checked; undefined (with findings) when they do not fit. */
export function readOptions<O>(
  word: Word<O>,
  written: Written,
  findings: Findings,
  planned?: Planned,
): { readonly options: O } | undefined {
  if (written.bare) {
    if (!isBareable(word)) {
      findings.error(written.at, `"${word.name}" needs a value, as in ${word.example}`);
      return undefined;
    }
    const bare = word.options.safeParse(word.bare);
    if (bare.success) return { options: bare.data };
    throw new Error(`the bare value of "${word.name}" does not fit its own options`, { cause: bare.error });
  }
  const before = findings.count;
  const options = checkShape(word.options, written.spot, findings, planned);
  // An option may be undefined or null in itself: whether it fits is told by the findings.
  return findings.count === before ? { options: options as O } : undefined;
}
