import { closest } from './closest.ts';

/** ` - did you mean "x"?` for the nearest known word, or nothing when none is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = closest(word, known);
  return near === undefined ? '' : ` - did you mean "${near}"?`;
}
