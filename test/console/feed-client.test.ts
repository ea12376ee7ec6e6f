import { describe, expect, test } from 'vitest';
import { feedClient } from '../../src/console/feed-client.ts';

/** A socket that holds what it is given until `drain`. */
function slowSocket() {
  const taken: string[] = [];
  let unsent: (() => void)[] = [];
  return {
    taken,
    get bufferedAmount() {
      return unsent.length;
    },
    send(text: string, sent: () => void) {
      taken.push(text);
      unsent.push(sent);
    },
    drain() {
      const sent = unsent;
      unsent = [];
      for (const done of sent) done();
    },
  };
}

const limits = { lines: 5, characters: 100, socketBytes: 2 };
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

describe('a client of the feed', () => {
  test('gets everything in order when it reads', () => {
    const socket = slowSocket();
    const client = feedClient(socket, limits);
    for (const line of numbers(1, 20)) {
      client.push(line);
      socket.drain();
    }
    expect(socket.taken).toEqual(numbers(1, 20));
    expect(client.stats()).toEqual({ waiting: 0, characters: 0, dropped: 0 });
  });

  test('that reads too slowly is told how much it lost, in the place of what it lost', () => {
    const socket = slowSocket();
    const client = feedClient(socket, limits);
    for (const line of numbers(1, 20)) client.push(line);
    expect(client.stats()).toMatchObject({ waiting: 5, dropped: 13 });
    socket.drain();
    client.push('21');
    for (let i = 0; i < 10; i += 1) socket.drain();
    expect(socket.taken).toEqual([...numbers(1, 7), '{"kind":"dropped","dropped":13}', '21']);
  });

  test('is told of a loss also when nothing comes after it', () => {
    const socket = slowSocket();
    const client = feedClient(socket, limits);
    for (const line of numbers(1, 9)) client.push(line);
    for (let i = 0; i < 10; i += 1) socket.drain();
    expect(socket.taken.at(-1)).toBe('{"kind":"dropped","dropped":2}');
  });

  test('takes no more memory than its limit of characters', () => {
    const socket = slowSocket();
    const client = feedClient(socket, { ...limits, lines: 1_000 });
    for (let i = 0; i < 1_000; i += 1) client.push('x'.repeat(30));
    expect(client.stats().characters).toBeLessThanOrEqual(100);
    expect(client.stats().waiting + socket.taken.length + client.stats().dropped).toBe(1_000);
  });
});
