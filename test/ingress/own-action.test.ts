import { expect, test } from 'vitest';
import { actionId } from '../../src/domain/action-id.ts';
import { ownAction } from '../../src/ingress/own-action.ts';

const id = actionId({ bot: 'house', rule: 'greet', because: ['e1'], ordinal: 0 });

test.each([
  ['a tag of ours', ['bot:house', `op:${id}`], id],
  ['no tags', [], undefined],
  ['another key', [`ops:${id}`], undefined],
  ['a value in another form', ['op:delete everything'], undefined],
  ['an empty value', ['op:'], undefined],
  ['a key without a value', ['op'], undefined],
])('%s', (_, tags, expected) => {
  expect(ownAction(tags, 'm1')).toBe(expected);
});

test('a tag that somebody made up is not ours where the given ids are known', () => {
  expect(ownAction([`op:${id}`], 'm1', () => false)).toBeUndefined();
  expect(ownAction(['op:AAAAAAAAAAAAAAAA', `op:${id}`], 'm1', (known) => known === id)).toBe(id);
});

test('a tag of ours on a message that is not ours was copied', () => {
  const knows = (_id: string, message: string): boolean => message === 'm1';
  expect([ownAction([`op:${id}`], 'm1', knows), ownAction([`op:${id}`], 'm2', knows)]).toEqual([
    id,
    undefined,
  ]);
});
