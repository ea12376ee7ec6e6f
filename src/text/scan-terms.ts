import type { CompiledTerms, Entry } from './compile-terms.ts';
import type { FoldedText } from './fold-text.ts';
import { KIND } from './kind.ts';
import { SPACE_POINT, spells } from './term.ts';
import { LEETED, PLAIN, readingsOf, SQUEEZED, SQUEEZED_LEETED, type View } from './view.ts';
import { isWordEdge } from './word-edge.ts';

/** A term found, as entries `first` to `last` of the folded text. */
export interface Found {
  readonly entry: Entry;
  readonly first: number;
  readonly last: number;
}

const SPACE_KEY = 1;

/** Numbers stay numbers: what is read as letters must hold a letter, or two symbols ("@$$"). */
const hasSubstance = ({ kinds }: FoldedText, first: number, last: number, view: View): boolean => {
  let symbols = 0;
  for (let i = first; i <= last; i += 1) {
    const kind = (kinds[i] ?? 0) & (KIND.word | KIND.leet);
    if (kind === KIND.word) return true;
    if (kind === KIND.leet && view.symbols) symbols += 1;
  }
  return symbols > 1;
};

const matches = (folded: FoldedText, first: number, last: number, view: View, entry: Entry): boolean => {
  const { folds, placement, points, strict } = entry;
  if (view.squeezed && !folds.has('spacing')) return false;
  if (view === LEETED && !folds.has('leet')) return false;
  const wordStart = placement === 'word' || placement === 'prefix';
  const wordEnd = placement === 'word' || placement === 'suffix';
  const literalStart = ((folded.kinds[first] ?? 0) & (KIND.word | KIND.leet)) === 0;
  const literalEnd = ((folded.kinds[last] ?? 0) & (KIND.word | KIND.leet)) === 0;
  if (wordStart && !literalStart && !isWordEdge(folded, first, -1, view.squeezed)) return false;
  if (wordEnd && !literalEnd && !isWordEdge(folded, last, 1, view.squeezed)) return false;
  const loose = !folds.has('repeats');
  const spelling = { folds, freeStart: loose && !wordStart, freeEnd: loose && !wordEnd };
  if (!spells(points, folded, first, last, view, spelling)) return false;
  if (strict === undefined) return true;
  const own = strict.folder.fold(folded.text.slice(folded.starts[first], folded.ends[last]));
  return spells(strict.points, own, 0, own.length - 1, view, spelling);
};

/** Stretches without a space that is more than a gap, which hold one of the kinds and something that is no number. */
const chunksWith = (folded: FoldedText, wanted: number): [number, number][] => {
  const { kinds, length } = folded;
  const chunks: [number, number][] = [];
  let start = 0;
  let seen = 0;
  let letters = 0;
  for (let i = 0; i <= length; i += 1) {
    const kind = i < length ? (kinds[i] ?? 0) : KIND.space;
    if ((kind & (KIND.space | KIND.gap)) === KIND.space) {
      if ((seen & wanted) !== 0 && letters > 0) chunks.push([start, i]);
      start = i + 1;
      seen = 0;
      letters = 0;
      continue;
    }
    seen |= kind;
    if ((kind & KIND.leet) === 0 ? (kind & KIND.word) !== 0 : (kind & KIND.word) === 0) letters += 1;
  }
  return chunks;
};

/**
 * Reads a folded text through each view that it needs and answers every term found, some of them twice; linear in the
 * text, whatever it is.
 */
export const scanTerms = (terms: CompiledTerms, folded: FoldedText): Found[] => {
  const { automaton, lengths, entries, keys } = terms;
  const { points, kinds, length } = folded;
  const { start, ending, pattern, suffix } = automaton;
  const found: Found[] = [];
  if (terms.size === 0) return found;
  const runStarts: number[] = [];
  const runEnds: number[] = [];

  const report = (state: number, runs: number, view: View): void => {
    for (let at = ending[state] ?? 0; at !== 0; at = suffix[at] ?? 0) {
      const index = pattern[at] ?? 0;
      const first = runStarts[runs - (lengths[index] ?? 0)] ?? 0;
      const last = runEnds[runs - 1] ?? 0;
      if (view !== PLAIN && !hasSubstance(folded, first, last, view)) continue;
      for (const entry of entries[index] ?? []) {
        if (matches(folded, first, last, view, entry)) found.push({ entry, first, last });
      }
    }
  };

  const keyAt = (i: number, view: View): number => {
    const kind = kinds[i] ?? 0;
    const point = points[i] ?? SPACE_POINT;
    if (view !== PLAIN && readingsOf(point, kind, view).length > 0) return terms.leetKeyOf(point);
    if ((kind & KIND.word) !== 0) return keys[point] ?? terms.keyOf(point);
    if (view.squeezed && (kind & KIND.gap) !== 0) return -1;
    return terms.keyOf(point) || SPACE_KEY;
  };

  /** Equal neighbours are one step of the automaton; what ends with them is reported when the run is over. */
  const read = (from: number, to: number, view: View): void => {
    let state = start;
    let runs = 0;
    let lastKey = -1;
    for (let i = from; i < to; i += 1) {
      const key = keyAt(i, view);
      if (key < 0) continue;
      if (key === lastKey) {
        runEnds[runs - 1] = i;
        continue;
      }
      if (ending[state] !== 0) report(state, runs, view);
      state = automaton.step(state, key);
      runStarts[runs] = i;
      runEnds[runs] = i;
      runs += 1;
      lastKey = key;
    }
    if (ending[state] !== 0) report(state, runs, view);
  };

  const readWhere = (wanted: number, view: View): void => {
    const chunks = chunksWith(folded, wanted);
    if (chunks.length === 0) return;
    // A phrase reaches over chunks, so then everything is read again.
    if (terms.phrases) read(0, length, view);
    else for (const [from, to] of chunks) read(from, to, view);
  };

  read(0, length, PLAIN);
  if ((folded.kindsSeen & KIND.leet) !== 0) readWhere(KIND.leet, LEETED);
  if ((folded.kindsSeen & KIND.gap) !== 0) {
    readWhere(KIND.gap, SQUEEZED);
    if ((folded.kindsSeen & KIND.leet) !== 0) readWhere(KIND.gap, SQUEEZED_LEETED);
  }
  return found;
};
