import { operations } from '../../platform/index.ts';
import type { Check } from './check.ts';
import { check } from './check.ts';
import { answers, fits, hold } from './judge.ts';
import { NOBODY } from './place-bench.ts';

const byControl = { control: true } as const;

/** What only rooms have: types, and the statuses of their manifest. */
export const roomChecks: readonly Check[] = [
  check('createRoom', 'default-type', 'The default type is MultiPartyChat.', async (bench) => {
    const alias = bench.name();
    const answer = await bench.call('createRoom', {
      body: { room: { alias, name: alias, description: '', options: [] } },
    });
    const { room } = fits(answer, operations.createRoom.response.schema);
    bench.later(() => bench.call('deleteRoom', { params: { roomId: room.roomId } }));
    hold(room.type === 'MultiPartyChat', `the type is ${room.type}`);
  }),
  check('listRooms', 'type', 'The query type selects; the default is MultiPartyChat.', async (bench) => {
    const { roomId } = await bench.room('TownHall');
    const has = async (query: Record<string, string>): Promise<boolean> => {
      const { rooms } = fits(await bench.call('listRooms', { query }), operations.listRooms.response.schema);
      return rooms.some((room) => room.roomId === roomId);
    };
    hold(await has({ type: 'TownHall' }), 'the town hall is not among the town halls');
    hold(!(await has({})), 'the town hall is listed without a type');
  }),
  check('getRoomManifest', '404.not-found', 'An unknown room gives 404.', async (bench) =>
    answers(
      await bench.call('getRoomManifest', { params: { roomId: NOBODY, manifest: 'live.m3u8' } }),
      404,
      'not found',
    ),
  ),
  check(
    'getRoomManifest',
    '415',
    'A room that does not support streaming gives 415.',
    async (bench) => {
      const { roomId } = await bench.room();
      await bench.publish({ roomId }, { capabilities: ['sd'] });
      answers(await bench.call('getRoomManifest', { params: { roomId, manifest: 'live.m3u8' } }), 415);
    },
    byControl,
  ),
];
