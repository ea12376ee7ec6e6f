import type { z } from 'zod';
import type { Answer } from './wire.ts';

/** The platform does not do what the interface says; the message is the detail of the finding. */
export class Nonconformance extends Error {}

/** What the interface says must be so; else the check fails with the detail. */
export function hold(condition: boolean, detail: string): asserts condition {
  if (!condition) throw new Nonconformance(detail);
}

const shown = (answer: Answer): string => `${answer.http} ${answer.text.slice(0, 200)}`;

/** The status word of a JSON answer. */
export const wordOf = (answer: Answer): unknown =>
  typeof answer.json === 'object' && answer.json !== null && 'status' in answer.json
    ? answer.json.status
    : undefined;

/** HTTP status, and the word where the interface gives one; both spellings of "not found" pass for one another. */
export function answers(answer: Answer, http: number, word?: string): void {
  hold(answer.http === http, `expected HTTP ${http}, got ${shown(answer)}`);
  if (word === undefined) return;
  const got = wordOf(answer);
  hold(
    typeof got === 'string' && got.replaceAll(' ', '-') === word.replaceAll(' ', '-'),
    `expected status "${word}", got ${shown(answer)}`,
  );
}

/** A success in the promised shape; the answer is what the schema read. */
export function fits<S extends z.ZodType>(answer: Answer, schema: S): z.output<S> {
  answers(answer, 200);
  const read = schema.safeParse(answer.json);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new Nonconformance(`${faults}, in ${shown(answer)}`);
}
