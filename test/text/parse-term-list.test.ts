import { expect, test } from 'vitest';
import { parseTermList } from '../../src/text/index.ts';

test('a list file has one term a line, comments and blank lines', () => {
  const { terms, problems } = parseTermList('\ufeff# ours\nslur\r\n\n  kill yourself  # phrase\nc#\n');
  expect(terms).toEqual(['slur', 'kill yourself', 'c#']);
  expect(problems).toEqual([]);
});

test('what is no term is reported with its line', () => {
  const { terms, problems } = parseTermList(`slur\nslur\n\u200b\n${'x'.repeat(201)}`);
  expect(terms).toEqual(['slur']);
  expect(problems.map(({ line, message }) => [line, message.split(',')[0]])).toEqual([
    [2, '"slur" is already on line 1; remove one of the two'],
    [3, 'this line has no visible character; remove it'],
    [4, 'this line has 201 characters'],
  ]);
});
