import type { OperationName } from '../../platform/index.ts';
import type { Bench } from './bench.ts';

/** One sentence of the interface, held against an address. */
export interface Check {
  /** `<operation>.<HTTP status>.<status word>` for a documented answer, else `<operation>.<what>`. */
  readonly id: string;
  readonly operation: OperationName | 'notifications';
  readonly sentence: string;
  /** Whether it must make members, streams or faults, which only a sandbox allows. */
  readonly control: boolean;
  readonly run: (bench: Bench) => Promise<void>;
}

export function check(
  operation: Check['operation'],
  what: string,
  sentence: string,
  run: Check['run'],
  options: { readonly control?: boolean } = {},
): Check {
  return { id: `${operation}.${what}`, operation, sentence, control: options.control ?? false, run };
}

/** The id part of a documented status: `404.not-found` for both spellings. */
export const statusId = (http: number, word?: string): string =>
  word === undefined ? String(http) : `${http}.${word.replaceAll(' ', '-')}`;
