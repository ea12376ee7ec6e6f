import { actionId } from '../../src/domain/action-id.ts';
import type { ActionId } from '../../src/domain/action.ts';
import { placeKey } from '../../src/domain/place.ts';
import type { PlaceDirectory } from '../../src/engine/ports.ts';
import type { ChatMessage, LiveStream, Place, PlaceMember, World } from '../../src/sandbox/world/world.ts';
import { CENSORED_FROM, MUTED_FROM } from './bots.ts';
import type { Said, Truth } from './cast.ts';
import type { Disk } from './disk.ts';
import { finding, type Finding } from './findings.ts';

/** What the judge compares: what people did, what the platform shows, what the disk holds. */
export interface Evidence {
  readonly truth: Truth;
  readonly world: World;
  readonly disk: Disk;
  /** Streams that a request of ours asked to end. */
  readonly terminated: ReadonlySet<string>;
  /** `<what> <stream id>` of each notification that was answered with 200. */
  readonly acknowledged: ReadonlySet<string>;
}

const MARKER = 'application/vnd.usher.moderation+json';

const placesOf = ({ truth, world }: Evidence): readonly Place[] =>
  truth.places.flatMap(({ kind, id }) => (kind === 'room' ? world.rooms : world.channels).get(id) ?? []);

const opOf = ({ tags }: { readonly tags: readonly string[] }): ActionId | undefined =>
  tags.find((tag) => tag.startsWith('op:'))?.slice('op:'.length);

/** Words that a bot said in a room, with the action that said them, in order. */
const wordsIn = (place: Place): readonly { readonly message: ChatMessage; readonly op: ActionId }[] =>
  place.messages.flatMap((message) => {
    const op = opOf(message);
    return op === undefined || message.mimeType === MARKER ? [] : [{ message, op }];
  });

const hiddenIn = (place: Place): ReadonlySet<string> =>
  new Set(
    place.messages
      .filter(({ mimeType }) => mimeType === MARKER)
      .flatMap(({ message }) => (JSON.parse(message) as { readonly hide: readonly string[] }).hide), // our own marker
  );

/** The id of the action that answers a command: its rule, its one event, the first of its kind. */
const answerTo = ({ roomId, messageId }: Said): ActionId =>
  actionId({
    bot: 'house',
    rule: 'help',
    because: [`message.posted ${placeKey({ kind: 'room', id: roomId })} ${messageId}`],
    ordinal: 0,
  });

/** What ought to have happened and has not: nobody may find anything once all is at rest. */
export function whatIsMissing(evidence: Evidence, believed: PlaceDirectory): readonly Finding[] {
  return [...chatMissing(evidence), ...mediaWrong(evidence), ...projectionWrong(evidence, believed)];
}

function* chatMissing(evidence: Evidence): Generator<Finding> {
  const { truth, disk } = evidence;
  for (const place of placesOf(evidence)) {
    const hidden = hiddenIn(place);
    const words = wordsIn(place);
    const ops = new Set(words.map(({ op }) => op));
    const texts = new Set(words.map(({ message }) => message.message));
    for (const said of truth.said.values()) {
      if (said.roomId !== place.id) continue;
      const { messageId, by, what } = said;
      if (!disk.journal.has(`message.posted ${placeKey(place)} ${messageId}`))
        yield finding('lost', `message ${messageId} of ${by.name} is not in the journal`);
      if (what === 'command' && !ops.has(answerTo(said)))
        yield finding('lost', `command ${messageId} of ${by.name} was not answered`);
      if (what !== 'slur' || by.role === 'Moderator') continue;
      if (!hidden.has(messageId)) yield finding('lost', `slur ${messageId} of ${by.name} is not hidden`);
      const { slursByThen: nth } = said;
      if (nth < CENSORED_FROM && !texts.has(`${by.name}: strike ${nth}`))
        yield finding('lost', `${by.name} was not told of strike ${nth}`);
    }
  }
}

/** Every publisher transcoded once, one right composition for each place with two of them, censored streams ended. */
function* mediaWrong(evidence: Evidence): Generator<Finding> {
  const { truth, world, disk } = evidence;
  const compositions = [...world.compositions.values()].filter(({ stream }) => stream.endedAt === undefined);
  for (const place of placesOf(evidence)) {
    const live = [...place.live];
    for (const stream of live) {
      const active = stream.transcodings.filter(({ deleted }) => !deleted);
      if (active.length !== 1)
        yield finding(
          active.length === 0 ? 'lost' : 'doubled',
          `live stream ${stream.streamId} has ${active.length} transcodings`,
        );
      const owner = truth.people.get(stream.sessionId);
      const censored = owner !== undefined && (owner.guilt.censored || wasCensored(disk, owner.sessionId));
      if (censored) yield finding('lost', `${owner.name} was censored, and ${stream.streamId} is on air`);
    }
    const tag = `${place.kind}Id:${place.id}`;
    const own = compositions.filter(({ stream }) => stream.tags.includes(tag));
    const shown = live.filter(({ videoState }) => videoState === 'TrackEnabled');
    const wanted = shown.length >= 2 ? 1 : 0;
    if (own.length !== wanted)
      yield finding(
        own.length < wanted ? 'lost' : 'doubled',
        `${place.alias} has ${shown.length} cameras and ${own.length} compositions`,
      );
    else if (own[0] !== undefined && ids(own[0].inputs) !== ids(shown))
      yield finding('lost', `the composition of ${place.alias} shows other streams than are live`);
  }
}

const ids = (streams: readonly LiveStream[]): string =>
  streams
    .map(({ streamId }) => streamId)
    .sort()
    .join(' ');

/** Refused where the member list did not confirm the author at that moment, which is right. */
const wasCensored = (disk: Disk, sessionId: string): boolean =>
  [...disk.intents.values()].some(
    ({ action, settled }) =>
      action.type === 'member.censor' &&
      action.member.endsWith(sessionId) &&
      settled?.outcome === 'performed',
  );

const shownMember = ({ sessionId, role, state }: Pick<PlaceMember, 'sessionId' | 'role' | 'state'>): string =>
  `${sessionId} ${role} ${state}`;

/** What the daemon believes of each place is what the platform shows. */
function* projectionWrong(evidence: Evidence, directory: PlaceDirectory): Generator<Finding> {
  for (const place of placesOf(evidence)) {
    const view = directory.view({ kind: place.kind, id: place.id });
    const known = [...(view?.members.values() ?? [])].map(shownMember);
    // A channel lists who publishes, a room everybody (interface.md, endpoints 10 and 19).
    const listed = [...place.members.values()].filter(
      ({ streams }) => place.kind === 'room' || streams.length > 0,
    );
    const there = listed.map(shownMember);
    if (known.sort().join() !== there.sort().join())
      yield finding('lost', `the members of ${place.alias} are taken to be others than they are`);
    const believed = [...(view?.streams.keys() ?? [])].sort().join(' ');
    if (believed !== ids([...place.live]))
      yield finding('lost', `the live streams of ${place.alias} are taken to be others: ${believed}`);
  }
}

/** What happened and ought not to have; no waiting mends it. */
export function whatWentWrong(evidence: Evidence): readonly Finding[] {
  return [
    ...acknowledgedOnly(evidence),
    ...journaledTwice(evidence),
    ...saidTwice(evidence),
    ...struckTwice(evidence),
    ...punishedWrongly(evidence),
  ];
}

/** The type of the event that a notification becomes. */
const EVENT_OF: Readonly<Record<string, string>> = {
  started: 'stream.started',
  ended: 'stream.ended',
  live: 'stream.live',
  'on-demand': 'stream.onDemand',
};

function* acknowledgedOnly({ acknowledged, disk }: Evidence): Generator<Finding> {
  const known = new Set<string>();
  for (const { event } of disk.journal.values())
    if ('streamId' in event) known.add(`${event.type} ${event.streamId}`);
  for (const told of acknowledged) {
    const [what = '', streamId = ''] = told.split(' ');
    if (!known.has(`${EVENT_OF[what]} ${streamId}`))
      yield finding('not journaled', `${told} was answered with 200 and is not in the journal`);
  }
}

/** A fact has one row, however often and by whomever it was told. */
function* journaledTwice({ disk }: Evidence): Generator<Finding> {
  const seen = new Set<string>();
  for (const { event } of disk.journal.values()) {
    const about =
      event.type === 'message.posted'
        ? event.messageId
        : event.type === 'stream.started' || event.type === 'stream.ended'
          ? event.streamId
          : undefined;
    if (about === undefined) continue;
    const fact = `${event.type} ${about}`;
    if (seen.has(fact)) yield finding('doubled', `${fact} is in the journal twice`);
    seen.add(fact);
  }
}

function* saidTwice(evidence: Evidence): Generator<Finding> {
  const order = [...evidence.disk.intents.keys()];
  for (const place of placesOf(evidence)) {
    const seen = new Set<string>();
    let newest = -1;
    for (const { message, op } of wordsIn(place)) {
      if (seen.has(op)) yield finding('doubled', `"${message.message}" was said twice (${op})`);
      else if (seen.has(message.message) && / strike /.test(message.message))
        yield finding('doubled', `"${message.message}" was said by two actions`);
      seen.add(op);
      seen.add(message.message);
      const intent = order.indexOf(op);
      if (intent < 0) yield finding('not journaled', `"${message.message}" was said without an intent`);
      if (intent < newest)
        yield finding('misordered', `"${message.message}" was said after what was decided later`);
      newest = Math.max(newest, intent);
    }
  }
}

function* struckTwice({ disk }: Evidence): Generator<Finding> {
  const struck = new Set<string>();
  for (const { action, settled } of disk.intents.values()) {
    if (action.type !== 'member.strike' || settled?.outcome !== 'performed') continue;
    const [because = ''] = action.because;
    if (struck.has(because)) yield finding('doubled', `two strikes for ${because}`);
    struck.add(because);
  }
}

function* punishedWrongly(evidence: Evidence): Generator<Finding> {
  const { truth, disk, terminated, world } = evidence;
  for (const place of placesOf(evidence))
    for (const messageId of hiddenIn(place)) {
      const said = truth.said.get(messageId);
      const deserved =
        said !== undefined &&
        said.by.role !== 'Moderator' &&
        (said.what === 'slur' || said.slursByThen >= MUTED_FROM);
      if (!deserved)
        yield finding('wrongly punished', `message ${messageId} of ${said?.by.name ?? 'nobody'} is hidden`);
    }
  for (const streamId of terminated) {
    const sessionId = world.streams.get(streamId)?.sessionId ?? '';
    const guilt = truth.people.get(sessionId)?.guilt;
    if (guilt === undefined || !(guilt.censored || guilt.slurs.length >= CENSORED_FROM))
      yield finding('wrongly punished', `stream ${streamId} was ended, and its publisher is innocent`);
  }
  for (const { action, settled } of disk.intents.values()) {
    if (settled?.outcome !== 'performed') continue;
    if (action.type !== 'member.strike' && action.type !== 'member.mute' && action.type !== 'member.censor')
      continue;
    const person = [...truth.people.values()].find(({ sessionId }) => action.member.endsWith(sessionId));
    const least = { 'member.strike': 1, 'member.mute': MUTED_FROM, 'member.censor': CENSORED_FROM };
    if (person === undefined || person.role === 'Moderator' || person.guilt.slurs.length < least[action.type])
      yield finding('wrongly punished', `${action.type} for ${action.screenName}, who did not deserve it`);
  }
}
