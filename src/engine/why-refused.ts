import type { ActionType } from '../domain/action.ts';
import type { UsherEvent } from '../domain/event.ts';
import { placeKey } from '../domain/place.ts';
import { undeclared } from '../plugin/check-definition.ts';
import type { LaneState } from './lane-state.ts';
import type { Proposal } from './proposal.ts';

const PUNISHING: ReadonlySet<ActionType> = new Set<ActionType>([
  'member.mute',
  'member.ban',
  'member.strike',
  'member.censor',
  'stream.terminate',
]);
const IRREVERSIBLE: ReadonlySet<ActionType> = new Set<ActionType>([
  'member.ban',
  'member.censor',
  'room.purge',
]);
const STARTING: ReadonlySet<ActionType> = new Set<ActionType>(['transcoding.start', 'composition.start']);

/** Done twice, they are seen twice; everything else comes to the same. */
const SEEN_TWICE: ReadonlySet<ActionType> = new Set<ActionType>([
  'message.send',
  'notify.send',
  'room.purge',
]);

/** Why a proposal must not be done, in words for its record; undefined when it may. */
export function whyRefused(
  proposal: Proposal,
  event: UsherEvent,
  state: LaneState,
  { catchUpMs, quietBefore }: { readonly catchUpMs: number; readonly quietBefore: number },
): string | undefined {
  const { draft, mayDo, standing } = proposal;
  if (mayDo && !mayDo.has(draft.type)) return undeclared(proposal.rule, draft.type, mayDo);
  if (standing) return undefined;
  if (event.at < quietBefore && SEEN_TWICE.has(draft.type)) {
    return (
      `It happened before ${new Date(quietBefore).toISOString()}, when the journal was put back from an older ` +
      'or damaged file: it may have been done then, and is not done twice.'
    );
  }
  const ofThisStream =
    draft.type === 'stream.terminate' && 'streamId' in event && event.streamId === draft.streamId;
  const isLate = event.source === 'reconcile' && event.seenAt - event.at > catchUpMs;
  if (isLate && PUNISHING.has(draft.type) && !ofThisStream) {
    return 'It happened while the daemon was away, too long ago to punish: such messages are only hidden.';
  }
  if (isLate && draft.type === 'message.send') {
    return 'It happened while the daemon was away, too long ago to be answered now.';
  }
  if (
    event.type === 'stream.started' &&
    event.late === true &&
    (PUNISHING.has(draft.type) || STARTING.has(draft.type))
  ) {
    return 'The stream had ended before its start was told: nothing is begun for it.';
  }
  if (IRREVERSIBLE.has(draft.type)) {
    if (event.type === 'message.posted' && event.author.standing !== 'verified') {
      return `Irreversible, and the author is only ${event.author.standing}: the member list does not confirm who wrote it.`;
    }
    if ((draft.type === 'member.ban' || draft.type === 'member.censor') && draft.member.startsWith('name:')) {
      return 'Irreversible, and the member is known by a name only, which anybody can take.';
    }
  }
  if (
    (draft.type === 'member.mute' || draft.type === 'member.strike' || draft.type === 'member.censor') &&
    placeKey(draft.place) !== state.lane
  ) {
    return `It concerns ${placeKey(draft.place)}, and a rule acts on members of its own place only.`;
  }
  return undefined;
}
