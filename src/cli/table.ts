import type { Paint } from './paint.ts';

/** Rows of equal keys as aligned columns, the keys as their heads. No rows, no table. */
export function table(rows: readonly object[], paint: Paint): string {
  const cells = rows.map((row) => new Map(Object.entries(row).map(([key, value]) => [key, String(value)])));
  const columns = [...(cells[0]?.keys() ?? [])];
  const width = (column: string): number =>
    Math.max(column.length, ...cells.map((row) => (row.get(column) ?? '').length));
  const line = (text: (column: string) => string): string =>
    columns
      .map((column) => text(column).padEnd(width(column)))
      .join('  ')
      .trimEnd();
  return [
    paint(
      'bold',
      line((column) => column),
    ),
    ...cells.map((row) => line((column) => row.get(column) ?? '')),
  ].join('\n');
}
