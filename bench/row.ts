/** A line of the table that `npm run bench` prints; `ok` says whether the target holds. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string;
  readonly ok: boolean;
}
