/** One thing that interface.md leaves open, and what the sandbox does about it. */
export interface Decision {
  /** Numbers of the operations that it touches; empty for notifications and what is common to all. */
  readonly operations: readonly number[];
  readonly text: string;
  /** V: seen in public material of a real platform with this interface; D: decided here. */
  readonly evidence: 'V' | 'D';
  /** The ways between which a user can choose, the default first. */
  readonly switch?: readonly [string, ...string[]];
}

const decide = (operations: readonly number[], evidence: 'V' | 'D', text: string): Decision => ({
  operations,
  text,
  evidence,
});

const choose = <const S extends readonly [string, ...string[]]>(
  operations: readonly number[],
  text: string,
  ways: S,
): Decision & { readonly switch: S } => ({ operations, text, evidence: 'D', switch: ways });

/**
 * Every undocumented behaviour of the sandbox, in one place. An answer that rests on one carries its id in the header
 * `x-sandbox-decision`.
 */
export const decisions = {
  'unknown-operation': decide([], 'D', 'Method and path that no operation has: 501, loudly.'),
  'raw-hash': decide(
    [],
    'D',
    'A raw # in the request target: 400, since the rest of an id would be lost on the way.',
  ),
  'basic-for-streams': decide([3, 4, 5], 'V', 'HTTP Basic is accepted in place of credentials in the body.'),
  'credentials-mismatch': decide(
    [],
    'D',
    'Credentials in header and body that differ: 401; else the header counts.',
  ),
  'empty-delete': choose(
    [12, 21, 28],
    'Whether a DELETE without Content-Length: 0 is accepted (lenient) or refused with 411 (strict).',
    ['lenient', 'strict'],
  ),
  'archive-without-on-demand': decide([4], 'D', 'A stream that is not persisted has no archive: 404.'),
  'playlists-not-ready': decide([5], 'D', 'Before a playlist is ready the list is empty.'),
  'playlists-unknown-stream': decide([5], 'D', 'An unknown stream: 404 not-found.'),
  'manifest-access': decide(
    [6, 16, 25],
    'D',
    'No HTTP Basic needed; a stream under token-auth wants streamToken, else 401.',
  ),
  'manifest-missing': decide([6, 16], 'D', 'No such stream, manifest, or nothing ready yet: 404 not-found.'),
  'no-media': decide([], 'D', 'Playlists are complete, but there are no segments behind them: 404.'),
  'existing-object': decide(
    [8, 17],
    'V',
    'The 409 body carries the existing object; alias and name are each unique.',
  ),
  'type-of-a-channel': decide([17], 'D', 'A room of type Channel: 400.'),
  'alias-in-path': decide([], 'D', 'Places are found by id only; an alias is a 404 with a hint.'),
  'members-with-streams': decide([10], 'D', 'Publishers are the members with at least one stream.'),
  'delete-ends-streams': decide(
    [12, 21],
    'D',
    'Remaining streams end with an empty reason; a second delete is a 404.',
  ),
  'delete-type-mismatch': choose(
    [21],
    'Query type that is not the type of the room: 404, or not looked at.',
    ['not-found', 'ignored'],
  ),
  'fork-to-itself': decide([13, 22], 'D', 'Source and destination are the same: 400.'),
  'fork-started': choose(
    [13, 22],
    'A forked stream has an id of its own; whether started and ended are sent for it.',
    ['notified', 'silent'],
  ),
  'fork-lifetime': choose(
    [13, 22],
    'Whether a forked stream ends together with the stream that it was forked from.',
    ['independent', 'with-origin'],
  ),
  'kill-publishers': decide(
    [14, 23],
    'D',
    'Members with streams are killed, the audience stays; ended.reason is reason or empty.',
  ),
  'count-empty-412': decide([15], 'D', 'The 412 of a channel has an empty body.'),
  'count-query': decide([15, 24], 'D', 'failIfLess and withStreams are whole numbers from 0, else 400.'),
  'rooms-type': decide([20], 'D', 'A type that is no room type: 400.'),
  'room-without-streaming': decide(
    [25],
    'D',
    'The latest stream has neither streaming nor a transcoding: 415.',
  ),
  'page-after': choose(
    [27],
    'afterMessageId alone gives the oldest messages above it, or the newest of the room.',
    ['oldest', 'newest'],
  ),
  'page-limit': decide([27], 'D', 'limit is a whole number from 1; over the maximum 413, anything else 400.'),
  purge: choose([28], 'Purged messages vanish, or stay in the list with their deletedTimestamp.', [
    'vanish',
    'marked',
  ]),
  'composition-tags': decide([29], 'D', 'Tags are taken inside composition and at request level.'),
  'composition-inputs': decide(
    [29, 30],
    'D',
    'An input that is unknown or has ended: 404; an empty list or a bad anchor: 400.',
  ),
  'composition-notified': choose(
    [29, 31],
    'The compositionId is the id of the composed stream; whether started and ended are sent for it.',
    ['notified', 'silent'],
  ),
  'composition-ends': decide(
    [29, 30, 31],
    'D',
    'A composition ends when its last input has ended: then 410 already-ended.',
  ),
  'composition-repeat': decide([31], 'D', 'A second delete: 409 already-deleted.'),
  'transcoding-same': decide(
    [32],
    'D',
    'Same origin, type, quality and only-flags, still active: 409 with the existing transcodingId.',
  ),
  'transcoding-origin': decide(
    [32],
    'D',
    'An unknown origin: 404 not-found; one that has ended: 410 origin-ended.',
  ),
  'transcoding-unknown': decide([33], 'D', 'An unknown transcoding: 404 not-found.'),
  'notification-target': decide(
    [],
    'D',
    'Notifications go to loopback only, unless allowed; others are recorded as blocked.',
  ),
  'notification-resigned': choose(
    [],
    'Each attempt is signed with its own time, or all carry the first signature.',
    ['each-attempt', 'once'],
  ),
  'notification-time-unit': choose([], 'Unit of X-Service-Timestamp.', ['milliseconds', 'seconds']),
  'notification-get-body': choose([], 'Whether a GET notification carries its body.', ['body', 'empty']),
  'live-tags': choose([], 'Whether live and on-demand carry the tags of their stream.', [
    'absent',
    'present',
  ]),
  'ended-twice': choose(
    [],
    'Whether ended is sent a second time, with null duration and reason (seen in practice).',
    ['no', 'yes'],
  ),
} satisfies Record<string, Decision>;

export type DecisionId = keyof typeof decisions;

type Switches = {
  readonly [
    K in DecisionId as (typeof decisions)[K] extends { readonly switch: readonly string[] } ? K : never
  ]: (typeof decisions)[K] extends {
    readonly switch: readonly (infer Way)[];
  }
    ? Way
    : never;
};

/** The chosen way of every decision that has more than one. */
export type SwitchSettings = Switches;

const withSwitch = Object.entries(decisions).filter(
  (entry): entry is [keyof Switches, Decision & { switch: readonly [string, ...string[]] }] =>
    'switch' in entry[1],
);

/** All switches at their defaults, then `chosen` over them; an unknown switch or way is a `RangeError` that lists the known. */
export function switchSettings(chosen: Readonly<Record<string, string>> = {}): SwitchSettings {
  const settings: Record<string, string> = {};
  for (const [id, decision] of withSwitch) settings[id] = decision.switch[0];
  for (const [id, way] of Object.entries(chosen)) {
    const ways = withSwitch.find(([known]) => known === id)?.[1].switch;
    if (ways === undefined)
      throw new RangeError(
        `There is no switch "${id}"; there are ${withSwitch.map(([name]) => name).join(', ')}.`,
      );
    if (!ways.includes(way))
      throw new RangeError(`The switch "${id}" is one of ${ways.join(', ')}, not "${way}".`);
    settings[id] = way;
  }
  return settings as SwitchSettings; // every switch was given its default above, and ways were checked
}
