/** The ways to hide a word that a list can see through, in the order in which they are undone. */
export const FOLDS = ['case', 'marks', 'invisible', 'confusables', 'leet', 'repeats', 'spacing'] as const;

/** One of `FOLDS`. */
export type Fold = (typeof FOLDS)[number];
