import { z } from 'zod';
import { FOLDS } from '../text/index.ts';

/** The ways to hide a word that a list can see through (see docs/rules.md, "Lists"). */
export const foldOption = z.array(z.enum(FOLDS)).optional();

/** Where in a text a term counts. */
export const matchOption = z.enum(['word', 'prefix', 'suffix', 'substring', 'domain']).optional();
