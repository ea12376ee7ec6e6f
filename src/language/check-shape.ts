import type { z } from 'zod';
import type { Findings } from './finding.ts';
import { branchesOf, describeSchema, keysOf, schemaAt } from './schema-walk.ts';
import type { Spot } from './spot.ts';
import { didYouMean } from './did-you-mean.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** A key that exists in the language but not in this usher yet: `unknown` findings say so. */
export type Planned = ReadonlyMap<string, string>;

/** Parses a value by its schema; every issue becomes a finding at the value that it is about. */
export function checkShape<T>(
  schema: z.ZodType<T>,
  spot: Spot,
  findings: Findings,
  planned: Planned = new Map(),
): T | undefined {
  const result = schema.safeParse(spot.value);
  if (result.success) return result.data;
  for (const issue of essential(result.error.issues)) report(issue, schema, spot, findings, planned);
  return undefined;
}

/** A check of a whole map says nothing new once one of its keys is wrong. */
const essential = (issues: readonly Issue[]): readonly Issue[] =>
  issues.filter(
    (issue) =>
      issue.code !== 'custom' ||
      !issues.some(
        (other) => other.code !== 'custom' && issue.path.every((key, index) => other.path[index] === key),
      ),
  );

function report(issue: Issue, root: Schema, top: Spot, findings: Findings, planned: Planned): void {
  const schema = schemaAt(root, issue.path);
  const spot = top.nearest(issue.path);
  const missing = spot.path.length < top.path.length + issue.path.length;
  const say = (message: string): void => {
    if (spot.unfilled) return;
    const rest = issue.path.slice(spot.path.length - top.path.length).map(String);
    findings.error(spot.under(...rest), message);
  };
  if (!/^(?:Invalid|Unrecognized|Too )/.test(issue.message)) return say(lowerFirst(issue.message));
  if (missing) return say(`missing${expectation(issue, schema)}`);
  switch (issue.code) {
    case 'unrecognized_keys':
      for (const key of issue.keys) unknownKey(key, spot, schema, findings, planned);
      return;
    case 'invalid_union': {
      const branches = branchesOf(schema);
      const fitting = issue.errors.flatMap((errors, index) =>
        errors.some((error) => error.code === 'invalid_type' && error.path.length === 0)
          ? []
          : [{ errors, schema: branches[index] }],
      );
      const [only] = fitting;
      if (only?.schema === undefined || fitting.length > 1)
        return say(`does not fit${expectation(issue, schema)}`);
      for (const inner of essential(only.errors)) report(inner, only.schema, spot, findings, planned);
      return;
    }
    case 'invalid_type':
      return say(`${gotten(spot)}${expectation(issue, schema)}`);
    case 'invalid_value': {
      const known = issue.values.map(String);
      const one = known.length === 1 ? `expected ${known[0]}` : `expected one of ${known.join(', ')}`;
      return say(
        spot.kind === 'scalar'
          ? `unknown value "${show(spot)}"${didYouMean(show(spot), known) || `, ${one}`}`
          : `${gotten(spot)}, ${one}`,
      );
    }
    case 'invalid_key':
      return say(
        `"${String(issue.path.at(-1))}" cannot be a name: ${issue.issues[0]?.message ?? issue.message}`,
      );
    case 'too_small':
      return say(
        issue.inclusive === false
          ? `must be more than ${issue.minimum}`
          : `must be at least ${sized(issue.origin, issue.minimum)}`,
      );
    case 'too_big':
      return say(
        issue.inclusive === false
          ? `must be less than ${issue.maximum}`
          : `must be at most ${sized(issue.origin, issue.maximum)}`,
      );
    case 'custom':
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
      return say(lowerFirst(issue.message));
    default:
      return issue satisfies never;
  }
}

function unknownKey(
  key: string,
  map: Spot,
  schema: Schema | undefined,
  findings: Findings,
  planned: Planned,
): void {
  const known = keysOf(schema);
  const spot = (map.get(key) ?? map).asKey();
  const later = planned.get(key);
  if (later !== undefined) findings.error(spot, `"${key}" is not there yet: ${later}`);
  else
    findings.error(
      spot,
      `unknown key "${key}"${didYouMean(key, known) || (known.length > 0 ? `, known are ${known.join(', ')}` : '')}`,
    );
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const sized = (origin: string, bound: number | bigint): string =>
  origin === 'string' ? `${bound} characters long` : origin === 'array' ? `${bound} long` : String(bound);

/** What stands there, as written and cut: a filled-in `${…}` may be a secret. */
const show = (spot: Spot): string =>
  spot.written.length > 60 ? `${spot.written.slice(0, 60)}…` : spot.written;

function gotten(spot: Spot): string {
  switch (spot.kind) {
    case 'empty':
      return 'is empty';
    case 'scalar':
      return `"${show(spot)}" does not fit`;
    case 'list':
    case 'map':
      return `a ${spot.kind} does not fit`;
    default:
      return spot.kind satisfies never;
  }
}

function expectation(issue: Issue, schema: Schema | undefined): string {
  const what = schema && describeSchema(schema);
  if (what !== undefined) return `, expected ${what}`;
  return issue.code === 'invalid_type' ? `, expected a ${issue.expected}` : '';
}
