import { describeError, StoreError } from '../errors.ts';
import { sqliteCode } from './sqlite-driver.ts';

/** SQLite's primary result codes that say something about the disk and not about us, with what to tell people. */
const FAULTS: ReadonlyMap<number, (path: string) => string> = new Map([
  [5, (path) => `Another program holds a write lock on ${path}: nothing was written. Close it.`],
  [
    8,
    (path) => `${path} is read-only: nothing was written. Check its permissions and how the disk is mounted.`,
  ],
  [10, (path) => `The disk under ${path} failed: nothing was written. See the system's log; check the disk.`],
  [11, damaged],
  [
    13,
    (path) =>
      `The disk that holds ${path} is full: nothing was written. Free some room; usher goes on by itself.`,
  ],
  [14, (path) => `${path} cannot be opened. Check that its directory exists and may be written to.`],
  [26, damaged],
]);

function damaged(path: string): string {
  return (
    `${path} is damaged or is no SQLite database. Stop usher and run \`usher doctor\`: it keeps a copy of the file, ` +
    'recovers what can be read, and says what was lost.'
  );
}

/** True for a code that may go away without us: no room, no permission, a lock. */
export const isFault = (code: number | undefined): boolean =>
  code !== undefined && FAULTS.has(code) && !isDamage(code);

/** True for a code that says that the file itself is broken: it does not go away, and writing on makes it worse. */
export const isDamage = (code: number | undefined): boolean => code === 11 || code === 26;

/** A `StoreError` for whatever SQLite threw; one that we threw ourselves stays as it is. */
export function explainFailure(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = describeError(error);
  return new StoreError(failureMessage(path, message, sqliteCode(error)), error);
}

/** What to tell people of a failure that SQLite reported as `code` with `message`. */
export function failureMessage(path: string, message: string, code: number | undefined): string {
  const fault = code === undefined ? undefined : FAULTS.get(code);
  return fault ? `${fault(path)} (SQLite: ${message})` : message;
}
