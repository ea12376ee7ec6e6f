import type { ActionId } from '../domain/action.ts';
import { StoreError } from '../errors.ts';

/** A mark or an outcome for an action that has no open intent: the call must not go out, or went out unrecorded. */
export const unknownAction = (id: ActionId, verb: 'mark' | 'settle'): StoreError =>
  new StoreError(
    `Cannot ${verb} action ${id}: the store holds no open intent of that id. ` +
      'Commit the intent first; an action that is settled stays as it is.',
  );
