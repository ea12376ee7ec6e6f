import { answerTo, BOT_NAME, KIND, MARKER } from './house.ts';
import { inversions, surplus } from './sequences.ts';
import type { Truth } from './truth.ts';

/** What became of one kind of effect. `unasked`: done though nothing called for it. */
export interface Tally {
  readonly expected: number;
  readonly lost: number;
  readonly doubled: number;
  readonly misordered: number;
  readonly unasked: number;
}

export type Effect = 'answers' | 'hides' | 'terminations' | 'transcodings' | 'compositions';
export type Verdict = Readonly<Record<Effect, Tally>>;

/** Holds what the bot did against what the platform shows that it should have done. Judges only what is at rest. */
export function judge(truth: Truth): Verdict {
  const streams = streamsOf(truth);
  return {
    ...judgeChat(truth),
    terminations: judgeTerminations(truth, streams),
    transcodings: judgeTranscodings(truth, streams),
    compositions: judgeCompositions(truth, streams),
  };
}

export const isClean = (verdict: Verdict): boolean =>
  Object.values(verdict).every(
    ({ lost, doubled, misordered, unasked }) => lost + doubled + misordered + unasked === 0,
  );

interface Stream {
  readonly streamId: string;
  readonly tags: readonly string[];
  readonly roomId: string | undefined;
  readonly startedAt: number;
  endedAt?: number;
}

/** The room that a stream was published in, or composed for. */
const roomOf = (tags: readonly string[]): string | undefined =>
  tags.find((tag) => tag.startsWith('roomId:'))?.slice('roomId:'.length);

/** By its notifications: the platform records each when it happens, delivered or not. */
function streamsOf({ deliveries }: Truth): ReadonlyMap<string, Stream> {
  const streams = new Map<string, Stream>();
  for (const { what, streamId, body, at } of deliveries) {
    if (what === 'started' && !streams.has(streamId)) {
      const { tags } = body['data'] as { tags: string[] }; // interface.md, "Events"
      streams.set(streamId, { streamId, tags, roomId: roomOf(tags), startedAt: at });
    }
    const ended = what === 'ended' ? streams.get(streamId) : undefined;
    if (ended) ended.endedAt ??= at;
  }
  return streams;
}

/** Each room's answers, word for word and in the order of what was said. A hide twice hides once. */
function judgeChat({ messages }: Truth): Pick<Verdict, 'answers' | 'hides'> {
  const answers = { expected: 0, lost: 0, doubled: 0, misordered: 0, unasked: 0 };
  const hides = { ...answers };
  for (const said of messages.values()) {
    const asked: string[] = [];
    const given: string[] = [];
    const slurs = new Set<string>();
    const hidden = new Set<string>();
    const strikes = new Map<string, number>();
    for (const { from, mimeType, message, messageId } of said) {
      const { screenName } = from;
      if (mimeType === MARKER)
        for (const id of (JSON.parse(message) as { hide: string[] }).hide) hidden.add(id); // our own marker
      else if (screenName === BOT_NAME) given.push(message);
      else {
        const before = strikes.get(screenName) ?? 0;
        const answer = answerTo(screenName, message, before);
        if (answer === undefined) continue;
        asked.push(answer);
        if (!answer.includes(' strike ')) continue;
        strikes.set(screenName, before + 1);
        slurs.add(messageId);
      }
    }
    answers.expected += asked.length;
    answers.lost += surplus(asked, given).length;
    const extra = surplus(given, asked);
    const known = new Set(asked);
    answers.doubled += extra.filter((text) => known.has(text)).length;
    answers.unasked += extra.filter((text) => !known.has(text)).length;
    answers.misordered += inversions(asked, given);
    hides.expected += slurs.size;
    hides.lost += [...slurs].filter((id) => !hidden.has(id)).length;
    hides.unasked += [...hidden].filter((id) => !slurs.has(id)).length;
  }
  return { answers, hides };
}

const succeeded = ({ requests }: Truth, operation: string) =>
  requests.filter((request) => request.operation === operation && request.status === 200);

function judgeTerminations(truth: Truth, streams: ReadonlyMap<string, Stream>): Tally {
  const censored = [...streams.values()].filter(({ tags }) => tags.includes(KIND.censored));
  const ended = succeeded(truth, 'terminateStream').map(
    ({ body }) => (body as { streamId: string }).streamId,
  ); // the operation's shape
  const ids = new Set(censored.map(({ streamId }) => streamId));
  return {
    expected: ids.size,
    lost: censored.filter(({ endedAt }) => endedAt === undefined).length,
    doubled: ended.length - new Set(ended).size,
    misordered: 0,
    unasked: ended.filter((id) => !ids.has(id)).length,
  };
}

/** A stream that ended while nobody was there needs none any more; one that is live needs exactly one. */
function judgeTranscodings(truth: Truth, streams: ReadonlyMap<string, Stream>): Tally {
  const made = succeeded(truth, 'createTranscoding').map(
    ({ body }) => (body as { transcoding: { originStreamId: string } }).transcoding.originStreamId, // the operation's shape
  );
  const transcoded = new Set(made);
  const live = [...streams.values()].filter(
    ({ endedAt, tags }) => endedAt === undefined && (tags.includes(KIND.voice) || tags.includes(KIND.camera)),
  );
  return {
    expected: new Set([...made, ...live.map(({ streamId }) => streamId)]).size,
    lost: live.filter(({ streamId }) => !transcoded.has(streamId)).length,
    doubled: made.length - transcoded.size,
    misordered: 0,
    unasked: made.filter((id) => !streams.has(id)).length,
  };
}

interface Composition {
  readonly from: number;
  readonly until: number;
  readonly inputs: readonly string[];
}

/** At no time two in one room; in the end one of exactly those on camera where there are two or more, and none elsewhere. */
function judgeCompositions(truth: Truth, streams: ReadonlyMap<string, Stream>): Tally {
  const byRoom = new Map<string, Composition[]>();
  for (const { streamId, tags, startedAt, endedAt } of streams.values()) {
    const op = tags.find((tag) => tag.startsWith('op:'));
    if (op === undefined) continue;
    const inputs = inputsOf(truth, streamId, op);
    const roomId = inputs.map((id) => streams.get(id)?.roomId).find((id) => id !== undefined) ?? 'nowhere';
    const made = byRoom.get(roomId) ?? [];
    byRoom.set(roomId, made);
    made.push({ from: startedAt, until: endedAt ?? Infinity, inputs });
  }
  const onCamera = new Map<string, string[]>();
  for (const { streamId, roomId, tags, endedAt } of streams.values())
    if (roomId !== undefined && endedAt === undefined && tags.includes(KIND.camera))
      onCamera.set(roomId, [...(onCamera.get(roomId) ?? []), streamId]);

  const tally = { expected: 0, lost: 0, doubled: 0, misordered: 0, unasked: 0 };
  for (const roomId of new Set([...byRoom.keys(), ...onCamera.keys()])) {
    const made = (byRoom.get(roomId) ?? []).toSorted((a, b) => a.from - b.from);
    const wanted = onCamera.get(roomId) ?? [];
    tally.doubled += made.filter(({ from }, index) =>
      made.slice(0, index).some(({ until }) => until > from),
    ).length;
    const standing = made.filter(({ until }) => until === Infinity);
    const right = standing.some(({ inputs }) => inputs.toSorted().join() === wanted.toSorted().join());
    if (wanted.length >= 2 && !right) tally.lost += 1;
    if (wanted.length < 2) tally.unasked += standing.length;
    tally.expected += Math.max(made.length, wanted.length >= 2 ? 1 : 0);
  }
  return tally;
}

interface Asked {
  readonly composition?: { readonly streams: readonly Input[]; readonly tags: readonly string[] };
  readonly streams?: readonly Input[];
}
interface Input {
  readonly streamId: string;
}

/** Of the newest request that set them. */
function inputsOf({ requests }: Truth, compositionId: string, op: string): readonly string[] {
  const path = encodeURIComponent(compositionId);
  const set = requests.findLast(({ operation, status, body, path: asked }) => {
    if (operation === 'createComposition') return (body as Asked).composition?.tags.includes(op) === true;
    return operation === 'updateComposition' && status === 200 && asked.includes(path);
  });
  const { composition, streams } = (set?.body ?? {}) as Asked; // the shapes of both operations
  return (composition?.streams ?? streams ?? []).map(({ streamId }) => streamId);
}
