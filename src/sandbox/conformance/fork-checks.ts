import { operations } from '../../platform/index.ts';
import type { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { answers, fits, hold } from './judge.ts';
import type { PlaceBench } from './place-bench.ts';

const byControl = { control: true } as const;

/** interface.md, endpoints 13 and 22: the options of fork. */
export function forkChecks(on: PlaceBench): Check[] {
  const { names } = on;
  /** Forks twice, the second time with the options; how many streams the destination then has, and whether they are new. */
  const twice = async (
    bench: Bench,
    options: readonly string[],
  ): Promise<{ count: number; kept: boolean }> => {
    const [source, destination] = [await on.make(bench), await on.make(bench)];
    await bench.publish(source.place);
    const params = on.between(destination.id, source.id);
    answers(await bench.call(names.fork, { params, body: {} }), 200);
    const before = (await on.membersOf(bench, destination.id)).flatMap((member) => member.streams);
    const answer = await bench.call(names.fork, { params, body: { options } });
    fits(answer, operations[names.fork].response.schema);
    const after = (await on.membersOf(bench, destination.id)).flatMap((member) => member.streams);
    return { count: after.length, kept: after.some(({ uri }) => uri === before[0]?.uri) };
  };
  return [
    check(
      names.fork,
      '200',
      'The active members of the source are copied to the destination.',
      async (bench) => {
        const [source, destination] = [await on.make(bench), await on.make(bench)];
        const { streamId, sessionId } = await bench.publish(source.place);
        const answer = await bench.call(names.fork, {
          params: on.between(destination.id, source.id),
          body: { streamTags: ['forked'], streamCapabilities: ['sd'], options: [] },
        });
        const { members } = fits(answer, operations[names.fork].response.schema);
        hold(members.length === 1 && members[0]?.sessionId === sessionId, 'the publisher was not copied');
        hold(members[0].streams[0]?.uri.includes(streamId) === false, 'the copy is the same stream');
        hold((await on.membersOf(bench, source.id)).length === 1, 'the source lost its publisher');
      },
      byControl,
    ),
    check(
      names.fork,
      'untouched',
      'By default, streams of the same session at the destination are left untouched.',
      async (bench) => {
        const { count, kept } = await twice(bench, []);
        hold(count === 1 && kept, 'the stream at the destination was replaced or doubled');
      },
      byControl,
    ),
    check(
      names.fork,
      'force',
      'force terminates and replaces them.',
      async (bench) => {
        const { count, kept } = await twice(bench, ['force']);
        hold(count === 1 && !kept, 'the stream at the destination was not replaced');
      },
      byControl,
    ),
    check(
      names.fork,
      'additive',
      'additive adds the streams to existing members.',
      async (bench) => {
        const { count, kept } = await twice(bench, ['additive']);
        hold(count === 2 && kept, 'the stream was not added');
      },
      byControl,
    ),
  ];
}
