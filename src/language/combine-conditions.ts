import { HOLDS, mergeEvidence } from './evidence.ts';
import type { Evidence } from './evidence.ts';
import type { Gift } from './gift.ts';
import type { Moment } from './moment.ts';
import type { Condition } from './word.ts';

/** A tree of conditions, and what its holding lets actions speak of. */
export interface Tree {
  readonly condition: Condition;
  readonly gives: readonly Gift[];
}

/** Cheap ones first; what remembers comes last, sees what all the others let through, and is never skipped. */
function ordered(trees: readonly Tree[]): {
  readonly pure: readonly Condition[];
  readonly remembering: readonly Condition[];
} {
  const conditions = trees.map(({ condition }) => condition).sort((a, b) => a.cost - b.cost || 0);
  return {
    pure: conditions.filter(({ cost }) => cost !== Infinity),
    remembering: conditions.filter(({ cost }) => cost === Infinity),
  };
}

const costOf = (trees: readonly Tree[]): number =>
  trees.reduce((sum, { condition }) => sum + condition.cost, 0);

const holdsOf = (
  trees: readonly Tree[],
  combine: (holds: readonly NonNullable<Condition['holds']>[]) => NonNullable<Condition['holds']>,
): Pick<Condition, 'holds'> => {
  const holds = trees.flatMap(({ condition }) => condition.holds ?? []);
  return holds.length === trees.length ? { holds: combine(holds) } : {};
};

/** Holds when all do. */
export function all(trees: readonly Tree[]): Tree {
  const [first] = trees;
  if (first !== undefined && trees.length === 1) return first;
  const { pure, remembering } = ordered(trees);
  const test = (moment: Moment): Evidence | undefined => {
    let evidence: Evidence = HOLDS;
    for (const condition of pure) {
      const found = condition.test(moment);
      if (found === undefined) return undefined;
      evidence = mergeEvidence(evidence, found);
    }
    let missing = false;
    for (const condition of remembering) {
      const found = condition.test(moment);
      if (found === undefined) missing = true;
      else evidence = mergeEvidence(evidence, found);
    }
    return missing ? undefined : evidence;
  };
  return {
    condition: {
      cost: costOf(trees),
      test,
      ...holdsOf(trees, (holds) => (room) => holds.every((one) => one(room))),
    },
    gives: trees.flatMap(({ gives }) => gives),
  };
}

/** Holds when one does. */
export function any(trees: readonly Tree[]): Tree {
  const { pure, remembering } = ordered(trees);
  const test = (moment: Moment): Evidence | undefined => {
    let evidence: Evidence | undefined;
    for (const condition of remembering) {
      const found = condition.test(moment);
      if (found !== undefined) evidence = evidence === undefined ? found : mergeEvidence(evidence, found);
    }
    for (const condition of pure) {
      const found = condition.test(moment);
      if (found !== undefined) return evidence === undefined ? found : mergeEvidence(evidence, found);
    }
    return evidence;
  };
  return {
    condition: {
      cost: costOf(trees),
      test,
      ...holdsOf(trees, (holds) => (room) => holds.some((one) => one(room))),
    },
    gives: trees.flatMap(({ gives }) => gives),
  };
}

/** Holds when it does not; its evidence is none. */
export const not = ({ condition }: Tree): Tree => ({
  condition: {
    cost: condition.cost,
    test: (moment) => (condition.test(moment) === undefined ? HOLDS : undefined),
    ...holdsOf(
      [{ condition, gives: [] }],
      ([holds]) =>
        (room) =>
          holds?.(room) === false,
    ),
  },
  gives: [],
});
