import { type Automaton, buildAutomaton } from './automaton.ts';
import { createFolder, type Folder } from './fold-text.ts';
import type { Fold } from './folds.ts';
import { LEET } from './leet.ts';
import { pointsOfTerm, SPACE_POINT } from './term.ts';
import { classOf } from './view.ts';

/** Where in a word a term must stand. */
export type Placement = 'word' | 'prefix' | 'suffix' | 'substring';

/** A list of words as the automaton needs it. */
export interface WordList {
  readonly name: string;
  readonly terms: readonly string[];
  readonly allow: readonly string[];
  readonly placement: Placement;
  readonly folds: ReadonlySet<Fold>;
}

/** One term of one list; several may share a pattern of the automaton. */
export interface Entry {
  readonly list: string;
  readonly term: string;
  readonly points: readonly number[];
  readonly placement: Placement;
  readonly folds: ReadonlySet<Fold>;
  /** A term of the list's `allow`. */
  readonly shields: boolean;
  /** For a list that undoes less than everything: how its own folds read a text. */
  readonly strict: { readonly folder: Folder; readonly points: readonly number[] } | undefined;
}

/** All terms of all lists in one automaton. */
export interface CompiledTerms {
  readonly automaton: Automaton;
  /** By pattern: how many keys it has, and the terms that it stands for. */
  readonly lengths: readonly number[];
  readonly entries: readonly (readonly Entry[])[];
  /** The keys of the basic plane, 0 where no term has the character. */
  readonly keys: Uint16Array;
  /** The key of any code point. */
  keyOf(point: number): number;
  /** The key of a digit or symbol that is read as a letter. */
  leetKeyOf(point: number): number;
  /** Whether any term has several words. */
  readonly phrases: boolean;
  readonly size: number;
}

const ON_CHARACTERS: readonly Fold[] = ['case', 'marks', 'invisible', 'confusables'];

/** A Greek capital can look like another letter than the small one does, so that such a term has up to three shapes. */
const shapesOf = (term: string): string[] => {
  if (!/\p{Script=Greek}/u.test(term)) return [term];
  const upper = term.toUpperCase();
  const lower = term.toLowerCase();
  return [term, lower, upper, upper.slice(0, 1) + lower.slice(1)];
};

/** Puts the terms of all lists into one automaton; `unusable` hears of each term of which folding leaves nothing. */
export const compileTerms = (
  lists: readonly WordList[],
  folder: Folder,
  unusable: (list: string, term: string) => void,
): CompiledTerms => {
  const keys = new Map<number, number>([[SPACE_POINT, 1]]);
  const keyFor = (point: number): number => {
    const known = keys.get(classOf(point));
    if (known !== undefined) return known;
    const key = keys.size + 1;
    keys.set(classOf(point), key);
    return key;
  };
  const patterns = new Map<string, Entry[]>();
  let phrases = false;
  let size = 0;

  const add = (list: WordList, term: string, shields: boolean, strictFolder: Folder | undefined): void => {
    // A phrase is also looked for without its spaces: spelled out, "k i l l  i t" has no others.
    const written = new Set([term, list.folds.has('spacing') ? term.replace(/\s+/gu, '') : term]);
    const shapes = new Map<string, { readonly points: number[]; readonly as: string }>();
    for (const as of written) {
      for (const shape of shapesOf(as)) {
        const points = pointsOfTerm(folder.fold(shape));
        if (points.length > 0) shapes.set(String.fromCodePoint(...points), { points, as });
      }
    }
    if (shapes.size === 0) unusable(list.name, term);
    size += 1;
    for (const { points, as } of shapes.values()) {
      const strict =
        strictFolder === undefined
          ? undefined
          : { folder: strictFolder, points: pointsOfTerm(strictFolder.fold(as)) };
      if (points.includes(SPACE_POINT)) phrases = true;
      let pattern = '';
      for (const point of points) {
        const key = String.fromCharCode(keyFor(point));
        if (!pattern.endsWith(key)) pattern += key;
      }
      const entry: Entry = {
        list: list.name,
        term,
        points,
        placement: shields ? 'word' : list.placement,
        folds: list.folds,
        shields,
        strict,
      };
      const sharing = patterns.get(pattern);
      if (sharing === undefined) patterns.set(pattern, [entry]);
      else sharing.push(entry);
    }
  };

  for (const list of lists) {
    const all = ON_CHARACTERS.every((fold) => list.folds.has(fold));
    const strictFolder = all ? undefined : createFolder(list.folds);
    for (const term of new Set(list.terms)) add(list, term, false, strictFolder);
    for (const term of new Set(list.allow)) add(list, term, true, strictFolder);
  }

  // A table for the characters of the basic plane: one read a character, where a map costs a hash.
  const basicPlane = new Uint16Array(0x10000);
  for (let point = 0; point < basicPlane.length; point += 1)
    basicPlane[point] = keys.get(classOf(point)) ?? 0;
  const leetKeys = new Map(
    Array.from(LEET, ([point, letters]) => [point, keys.get(classOf(letters.charCodeAt(0))) ?? 0]),
  );
  const texts = Array.from(patterns.keys());
  return {
    automaton: buildAutomaton(texts),
    lengths: texts.map((text) => text.length),
    entries: Array.from(patterns.values()),
    keys: basicPlane,
    keyOf: (point) => basicPlane[point] ?? keys.get(point) ?? 0,
    leetKeyOf: (point) => leetKeys.get(point) ?? 0,
    phrases,
    size,
  };
};
