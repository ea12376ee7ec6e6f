/** One thing that is wrong with a matcher's specification, and where. */
export interface MatcherProblem {
  readonly list?: string;
  readonly term?: string;
  readonly pattern?: string;
  readonly message: string;
}

/** The lists or patterns cannot be used; `problems` has every reason, so that all can be put right at once. */
export class MatcherError extends Error {
  readonly code = 'text.matcher';
  readonly problems: readonly MatcherProblem[];

  constructor(problems: readonly MatcherProblem[]) {
    const lines = problems.map(({ list, pattern, message }) =>
      list === undefined ? `pattern "${pattern ?? ''}": ${message}` : `list "${list}": ${message}`,
    );
    super(`these lists and patterns cannot be used:\n${lines.join('\n')}`);
    this.name = 'MatcherError';
    this.problems = problems;
  }
}
