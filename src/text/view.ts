import { KIND } from './kind.ts';
import { AMBIGUOUS, LEET } from './leet.ts';

/** One way to read a folded text. */
export interface View {
  /** Digits are read as letters. */
  readonly digits: boolean;
  /** Symbols are read as letters. */
  readonly symbols: boolean;
  /** Gaps are left out. */
  readonly squeezed: boolean;
}

/** The order of reading: the first alone reads the whole text, the others only where it needs them. */
export const PLAIN: View = { digits: false, symbols: false, squeezed: false };
export const LEETED: View = { digits: true, symbols: true, squeezed: false };
export const SQUEEZED: View = { digits: true, symbols: false, squeezed: true };
export const SQUEEZED_LEETED: View = { digits: true, symbols: true, squeezed: true };

/** The letters that a character may be read as in a view, besides itself. */
const READINGS: ReadonlyMap<number, readonly number[]> = new Map(
  Array.from(LEET, ([point, letters]) => [point, Array.from(letters, (letter) => letter.charCodeAt(0))]),
);
const NONE: readonly number[] = [];

/** What a character of that kind may stand for in a view. */
export const readingsOf = (point: number, kind: number, view: View): readonly number[] => {
  if ((kind & KIND.leet) === 0) return NONE;
  const asLetter = (kind & KIND.word) === 0 ? view.symbols : view.digits;
  return asLetter ? (READINGS.get(point) ?? NONE) : NONE;
};

const CLASSES: ReadonlyMap<number, number> = new Map(
  AMBIGUOUS.flatMap((letters) =>
    Array.from(letters, (letter): [number, number] => [letter.charCodeAt(0), letters.charCodeAt(0)]),
  ),
);

/** One letter for all letters that a symbol may equally stand for, so that the automaton need not guess. */
export const classOf = (point: number): number => CLASSES.get(point) ?? point;
