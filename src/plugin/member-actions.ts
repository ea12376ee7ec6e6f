import type { ActionDraft } from '../domain/action.ts';
import type { PlaceRef } from '../domain/place.ts';
import { placeOf, reasonIds, subjectOf, type Because, type Subject } from './reasons.ts';

interface Against {
  readonly because: Because;
  /** Where; found from the reasons when they are events. */
  readonly place?: PlaceRef;
}

const against = (what: string, subject: Subject, { because, place }: Against) => ({
  place: placeOf(what, because, place),
  ...subjectOf(subject, because),
  because: reasonIds(because),
});

/** Hides each further message of the member for `forMs`; advisory. */
export const muteMember = (
  subject: Subject,
  options: Against & { readonly forMs: number },
): ActionDraft<'member.mute'> => ({
  type: 'member.mute',
  ...against('muteMember', subject, options),
  forMs: options.forMs,
});

/** Keeps the member out of all places of the bot for `forMs`. Irreversible: needs a verified member. */
export const banMember = (
  subject: Subject,
  options: Against & { readonly forMs: number; readonly reason?: string },
): ActionDraft<'member.ban'> => ({
  type: 'member.ban',
  ...against('banMember', subject, options),
  forMs: options.forMs,
  reason: options.reason ?? '',
});

/** Adds points on a ladder of the bot file; the highest step that is reached is taken. One point unless given. */
export const strikeMember = (
  subject: Subject,
  options: Against & { readonly ladder: string; readonly points?: number; readonly reason?: string },
): ActionDraft<'member.strike'> => ({
  type: 'member.strike',
  ...against('strikeMember', subject, options),
  ladder: options.ladder,
  points: options.points ?? 1,
  reason: options.reason ?? '',
});

/**
 * Ends every live stream of the member; with `watchMs` also what the same session, or somebody of the same folded
 * name, publishes within that time. Irreversible: needs a verified member.
 */
export const censorMember = (
  subject: Subject,
  options: Against & { readonly reason?: string; readonly watchMs?: number },
): ActionDraft<'member.censor'> => ({
  type: 'member.censor',
  ...against('censorMember', subject, options),
  reason: options.reason ?? 'censored',
  watchMs: options.watchMs ?? 0,
});
