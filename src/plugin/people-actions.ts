import type { ActionDraft } from '../domain/action.ts';
import { reasonIds, type Because } from './reasons.ts';

/** Tells people outside; `target` is a name under the bot file's `notify`. */
export const notifyPeople = (
  target: string,
  text: string,
  options: { readonly because: Because },
): ActionDraft<'notify.send'> => ({ type: 'notify.send', target, text, because: reasonIds(options.because) });

/** Writes a line that the log and the action's record keep. */
export const writeLog = (text: string, options: { readonly because: Because }): ActionDraft<'log.write'> => ({
  type: 'log.write',
  text,
  because: reasonIds(options.because),
});
