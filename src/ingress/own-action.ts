import type { ActionId } from '../domain/ids.ts';
import { splitTag } from '../platform/index.ts';

/** The form of our action ids: other people's `op:` tags are not ours. */
const ACTION_ID = /^[\w-]{16}$/;

/**
 * Whether an action of ours made the message or stream with this id. A tag alone proves little: whoever sees one can
 * write it on a message of their own. Without this check any tag in the right form counts.
 */
export type KnowsAction = (id: ActionId, messageOrStreamId: string) => boolean;

/** The action of ours that made the message or stream with these tags; undefined where somebody else did. */
export function ownAction(
  tags: readonly string[],
  messageOrStreamId: string,
  knows: KnowsAction = () => true,
): ActionId | undefined {
  for (const tag of tags) {
    const { key, value } = splitTag(tag);
    if (key === 'op' && value !== undefined && ACTION_ID.test(value) && knows(value, messageOrStreamId))
      return value;
  }
  return undefined;
}
