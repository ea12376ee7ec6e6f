import { continuesLetter, foldPoint } from './fold-point.ts';
import { FOLDS, type Fold } from './folds.ts';
import { KIND, kindOf } from './kind.ts';
import { markGaps } from './mark-gaps.ts';

/** A text folded once, with the way back: entry `i` stands for `text.slice(starts[i], ends[i])`. */
export interface FoldedText {
  readonly text: string;
  /** How many entries each of the arrays has. */
  readonly length: number;
  readonly points: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** `KIND` bits of each entry. */
  readonly kinds: readonly number[];
  /** All bits that occur in the text. */
  readonly kindsSeen: number;
}

/** Folds texts and keeps what it has learnt of each character. */
export interface Folder {
  fold(text: string): FoldedText;
}

/** What one letter becomes. */
interface Piece {
  readonly points: readonly number[];
  readonly kinds: readonly number[];
}

/** Letters of several units that a folder remembers, so that a hostile text cannot make it keep more. */
const REMEMBERED = 10_000;
/** Marks that are folded together with their letter; those beyond are folded each for itself. */
const MARKS_TOGETHER = 4;
/** Below this, nothing continues the letter before it. */
const FIRST_MARK = 0x300;

/** A folder with all folds that work on characters, or with those given. */
export const createFolder = (folds: ReadonlySet<Fold> = new Set(FOLDS)): Folder => {
  const pieceOf = (letter: string): Piece => {
    const chars = Array.from(foldPoint(letter, folds));
    return { points: chars.map((char) => char.codePointAt(0) ?? 0), kinds: chars.map(kindOf) };
  };
  const byUnit = new Map<number, Piece>();
  const ascii = Array.from({ length: 128 }, (_, unit) => pieceOf(String.fromCharCode(unit)));
  const pieceOfUnit = (unit: number): Piece => {
    let piece = ascii[unit] ?? byUnit.get(unit);
    if (piece === undefined) {
      piece = pieceOf(String.fromCharCode(unit));
      byUnit.set(unit, piece);
    }
    return piece;
  };
  const byLetter = new Map<string, Piece>();
  const pieceOfLetter = (letter: string): Piece => {
    let piece = byLetter.get(letter);
    if (piece === undefined) {
      piece = pieceOf(letter);
      if (byLetter.size >= REMEMBERED) byLetter.clear();
      byLetter.set(letter, piece);
    }
    return piece;
  };
  /** By unit: 1 if it may begin or continue a letter of several units, 2 if not, 0 if not yet known. */
  const joins = new Uint8Array(0x10000);
  const mayJoin = (unit: number): boolean => {
    if (unit < FIRST_MARK) return false;
    if (joins[unit] === 0) {
      const surrogate = unit >= 0xd800 && unit <= 0xdfff;
      joins[unit] = surrogate || continuesLetter(String.fromCharCode(unit)) ? 1 : 2;
    }
    return joins[unit] === 1;
  };
  /** Where the letter ends that begins at `start`: composed and decomposed writings of it are folded alike. */
  const endOfLetter = (text: string, start: number): number => {
    let end = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
    for (let marks = 0; marks < MARKS_TOGETHER && mayJoin(text.charCodeAt(end)); marks += 1) {
      const mark = String.fromCodePoint(text.codePointAt(end) ?? 0);
      if (!continuesLetter(mark)) break;
      end += mark.length;
    }
    return end;
  };

  return {
    fold: (text) => {
      // Plain arrays: a chat line is short, and what is short-lived costs less on the heap than in buffers.
      const points: number[] = [];
      const starts: number[] = [];
      const ends: number[] = [];
      const kinds: number[] = [];
      let kindsSeen = 0;
      for (let i = 0; i < text.length;) {
        const start = i;
        const unit = text.charCodeAt(i);
        let piece: Piece;
        if (mayJoin(unit) || mayJoin(text.charCodeAt(i + 1))) {
          i = endOfLetter(text, start);
          piece = pieceOfLetter(text.slice(start, i));
        } else {
          i += 1;
          piece = pieceOfUnit(unit);
        }
        const count = piece.points.length;
        if (count === 0) {
          // A mark that is dropped still belongs to its letter; what is invisible belongs to nobody.
          const before = ends.length - 1;
          if (ends[before] === start && continuesLetter(text.slice(start, i))) ends[before] = i;
          continue;
        }
        for (let p = 0; p < count; p += 1) {
          const kind = piece.kinds[p] ?? 0;
          points.push(piece.points[p] ?? 0);
          kinds.push(kind);
          starts.push(start);
          ends.push(i);
          kindsSeen |= kind;
        }
      }
      if (markGaps(points, kinds)) kindsSeen |= KIND.gap;
      return { text, length: points.length, points, starts, ends, kinds, kindsSeen };
    },
  };
};

/** The folded words of a text with one space between them: how two phrases are compared. */
export const foldWords = (text: string): string => {
  const { points, kinds, length } = createFolder().fold(text);
  let words = '';
  for (let i = 0; i < length; i += 1) {
    if (((kinds[i] ?? 0) & KIND.word) !== 0) words += String.fromCodePoint(points[i] ?? 0);
    else if (words !== '' && !words.endsWith(' ')) words += ' ';
  }
  return words.trimEnd();
};
