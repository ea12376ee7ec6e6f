import { z } from 'zod';
import type { OperationName } from '../../platform/index.ts';
import { operations } from '../../platform/index.ts';
import type { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { answers, fits, hold } from './judge.ts';
import { forkChecks } from './fork-checks.ts';
import { KINDS, NOBODY, PlaceBench } from './place-bench.ts';

const byControl = { control: true } as const;

/** interface.md, endpoints 8 to 25, once for rooms and once for channels. */
export const placeChecks: readonly Check[] = KINDS.flatMap((names) => checksOf(new PlaceBench(names)));

function checksOf(on: PlaceBench): Check[] {
  const { names, isRoom } = on;
  const missing = (name: OperationName, word: string): Check =>
    check(name, `404.${word.replaceAll(' ', '-')}`, `An unknown ${names.kind} gives 404.`, async (bench) =>
      answers(await bench.call(name, { params: on.between(NOBODY, `${NOBODY}1`) }), 404, word),
    );
  const draft = (alias: string, name: string): object => ({
    [names.kind]: { alias, name, description: '', options: [] },
  });
  const objectOf = (answer: unknown): Readonly<Record<string, unknown>> =>
    z.object({ [names.kind]: z.record(z.string(), z.unknown()) }).parse(answer)[names.kind] ?? {};
  const removeLater = (bench: Bench, id: unknown): void =>
    bench.later(() => bench.call(names.remove, { params: on.at(String(id)) }));

  return [
    check(names.create, '200', `Response 200: status, ${names.kind}.`, async (bench) => {
      await on.make(bench);
    }),
    check(
      names.get,
      '200',
      `A ${names.kind} is fetched by its identifier, which is URL-encoded.`,
      async (bench) => {
        const { id, alias } = await on.make(bench);
        const fetched = await bench.call(names.get, { params: on.at(id) });
        fits(fetched, operations[names.get].response.schema);
        hold(objectOf(fetched.json).alias === alias, 'the fetched alias is another');
      },
    ),
    check(
      names.create,
      'generated-alias',
      'An empty alias asks the platform to generate one.',
      async (bench) => {
        const answer = await bench.call(names.create, { body: draft('', bench.name()) });
        fits(answer, operations[names.create].response.schema);
        const made = objectOf(answer.json);
        removeLater(bench, made[`${names.kind}Id`]);
        hold(made.alias !== '', 'the alias is empty');
      },
    ),
    check(names.create, '409.already-exists', 'Alias and name are unique: 409.', async (bench) => {
      const { alias } = await on.make(bench);
      answers(await bench.call(names.create, { body: draft(alias, bench.name()) }), 409, 'already-exists');
      answers(await bench.call(names.create, { body: draft(bench.name(), alias) }), 409, 'already-exists');
    }),
    missing(names.get, isRoom ? 'not found' : 'not-found'),
    missing(names.members, 'not found'),
    missing(names.kill, 'not found'),
    missing(names.fork, 'not found'),
    missing(names.count, 'not-found'),
    check(names.list, '200', `The ${names.kind} is in the list, without a size.`, async (bench) => {
      const { id } = await on.make(bench);
      const answer = await bench.call(names.list);
      fits(answer, operations[names.list].response.schema);
      const all = z
        .object({ [`${names.kind}s`]: z.array(z.record(z.string(), z.unknown())) })
        .parse(answer.json)[`${names.kind}s`];
      const found = all?.find((one) => one[`${names.kind}Id`] === id);
      hold(found !== undefined, `the new ${names.kind} is not listed`);
      hold(found.estimatedSize === null, 'estimatedSize is not null in the list');
    }),
    check(names.remove, '200', `A deleted ${names.kind} is gone.`, async (bench) => {
      const { id } = await on.make(bench);
      fits(await bench.call(names.remove, { params: on.at(id) }), operations[names.remove].response.schema);
      answers(await bench.call(names.get, { params: on.at(id) }), 404);
    }),
    check(
      names.members,
      '200',
      'Members carry their streams.',
      async (bench) => {
        const { id, place } = await on.make(bench);
        const { streamId, sessionId } = await bench.publish(place);
        const answer = await bench.call(names.members, { params: on.at(id) });
        fits(answer, operations[names.members].response.schema);
        const member = (await on.membersOf(bench, id)).find((one) => one.sessionId === sessionId);
        hold(
          member?.streams[0]?.uri.includes(streamId) === true,
          'the publisher is not listed with its stream',
        );
      },
      byControl,
    ),
    check(
      names.kill,
      '200',
      'Kill removes the publishers and terminates their streams.',
      async (bench) => {
        const { id, place } = await on.make(bench);
        const { streamId } = await bench.publish(place);
        const answer = await bench.call(names.kill, {
          params: on.at(id),
          body: { reason: 'test', options: [] },
        });
        const { killedMembers } = fits(answer, operations[names.kill].response.schema);
        hold(killedMembers.length === 1, `${killedMembers.length} members were killed, not 1`);
        hold((await on.membersOf(bench, id)).length === 0, 'the member is still listed');
        answers(
          await bench.call('terminateStream', { body: { streamId, reason: '' } }),
          410,
          'already-ended',
        );
      },
      byControl,
    ),
    check(
      names.kill,
      'keep-streams',
      'keep-streams removes the members but leaves the streams alive.',
      async (bench) => {
        const { id, place } = await on.make(bench);
        const { streamId } = await bench.publish(place);
        answers(
          await bench.call(names.kill, { params: on.at(id), body: { options: ['keep-streams'] } }),
          200,
        );
        hold((await on.membersOf(bench, id)).length === 0, 'the member is still listed');
        answers(await bench.call('terminateStream', { body: { streamId, reason: '' } }), 200);
      },
      byControl,
    ),
    check(names.kill, '401.reason', '401 is also returned when reason is not a string.', async (bench) => {
      const { id } = await on.make(bench);
      answers(await bench.call(names.kill, { params: on.at(id), body: { reason: 7 } }), 401);
    }),
    check(names.kill, '400.options', 'options that are not an array of strings give 400.', async (bench) => {
      const { id } = await on.make(bench);
      answers(await bench.call(names.kill, { params: on.at(id), body: { options: [7] } }), 400);
    }),
    ...forkChecks(on),
    check(names.count, '200', 'A plain-text body holds the number of publishers.', async (bench) => {
      const { id } = await on.make(bench);
      const answer = await bench.call(names.count, { params: on.at(id) });
      answers(answer, 200);
      hold(answer.text.trim() === '0', `the body is "${answer.text}", not 0`);
    }),
    check(
      names.count,
      isRoom ? '412.none' : '412',
      'Fewer than failIfLess publishers give 412.',
      async (bench) => {
        const { id } = await on.make(bench);
        const answer = await bench.call(names.count, { params: on.at(id), query: { failIfLess: 1 } });
        answers(answer, 412, isRoom ? 'none' : undefined);
      },
    ),
    check(
      names.count,
      'criteria',
      'withStreams and withScreenName narrow the count.',
      async (bench) => {
        const { id, place } = await on.make(bench);
        const first = await bench.publish(place);
        await bench.publish(place, { sessionId: first.sessionId });
        await bench.publish(place);
        const count = async (query: Record<string, string | number>): Promise<string> =>
          (await bench.call(names.count, { params: on.at(id), query })).text.trim();
        hold((await count({})) === '2', 'two sessions publish');
        hold((await count({ withStreams: 2 })) === '1', 'one session has two streams');
        hold((await count({ withScreenName: 'nobody at all' })) === '0', 'nobody has that screen name');
        hold((await count({ failIfLess: 2 })) === '2', 'two publishers qualify');
      },
      byControl,
    ),
    check(
      names.manifest,
      isRoom ? '302' : '200',
      isRoom ? 'A standard HTTP redirect to the manifest file.' : 'Response 200: the manifest content.',
      async (bench) => {
        const { id, place } = await on.make(bench);
        const { streamId } = await bench.publish(place, { capabilities: ['streaming'] });
        await bench.control('POST', 'playlists', { streamId }, z.object({}));
        const params = { ...on.at(id), manifest: 'live.m3u8' };
        const direct = await bench.call(names.manifest, { params });
        if (isRoom) answers(direct, 302);
        const location = isRoom ? String(direct.headers.location) : undefined;
        const answer = location === undefined ? direct : await bench.get(location);
        answers(answer, 200);
        hold(answer.text.startsWith('#EXTM3U'), 'this is no HLS playlist');
      },
      byControl,
    ),
  ];
}
