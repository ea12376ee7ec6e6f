import { createOutbox } from '../../../src/egress/outbox.ts';
import { createPerform } from '../../../src/egress/perform.ts';
import { StoreError } from '../../../src/errors.ts';
import * as platform from '../../../src/platform/index.ts';

/** The code that is explored, as it is or with a part taken out. */
export const parts = { createOutbox, createPerform, StoreError, platform };
export type Parts = typeof parts;
