import type { LiveStream, World } from './world.ts';

/** Ended streams are remembered for 410 answers, but not more than this many of all. */
const REMEMBERED_STREAMS = 50_000;

/**
 * Ends a stream once: out of its place and its member, `ended` sent. What hung on it ends
 * too: compositions without any input left and, under the switch `fork-lifetime: with-origin`, its forks.
 */
export function endStream(world: World, stream: LiveStream, reason: string): void {
  if (stream.endedAt !== undefined) return;
  const now = world.clock.now();
  stream.endedAt = now;
  stream.audioState = 'TrackEnded';
  stream.videoState = 'TrackEnded';
  const place = stream.place;
  place?.live.delete(stream);
  const member = place?.members.get(stream.sessionId);
  if (member?.streams.includes(stream)) {
    member.streams.splice(member.streams.indexOf(stream), 1);
    member.lastUpdate = now;
  }
  announceEnd(world, stream, now - stream.startedAt, reason);
  endCompositionsOf(world, stream);
  if (world.switches['fork-lifetime'] === 'with-origin')
    for (const fork of stream.forks) endStream(world, fork, reason);
  forgetOldest(world);
}

function announceEnd(world: World, stream: LiveStream, duration: number, reason: string): void {
  if (!stream.notified) return;
  const { streamId, sessionId, tags } = stream;
  world.notify({ what: 'ended', sessionId, data: { streamId, tags, duration, reason } });
  if (world.switches['ended-twice'] === 'yes')
    world.notify({ what: 'ended', sessionId, data: { streamId, tags, duration: null, reason: null } });
}

function endCompositionsOf(world: World, input: LiveStream): void {
  for (const composition of input.compositions)
    if (composition.inputs.every((one) => one.endedAt !== undefined))
      endStream(world, composition.stream, 'ended');
}

function forgetOldest(world: World): void {
  if (world.streams.size <= REMEMBERED_STREAMS) return;
  for (const stream of world.streams.values()) {
    if (stream.endedAt === undefined) continue;
    world.streams.delete(stream.streamId);
    world.compositions.delete(stream.streamId);
    for (const { transcodingId } of stream.transcodings) world.transcodings.delete(transcodingId);
    return;
  }
}
