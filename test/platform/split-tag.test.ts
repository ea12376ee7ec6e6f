import { expect, test } from 'vitest';
import { splitTag } from '../../src/platform/index.ts';

test.each([
  ['roomId:us#app#room', { key: 'roomId', value: 'us#app#room' }],
  ['op:a:b:c', { key: 'op', value: 'a:b:c' }],
  ['plain', { key: 'plain', value: undefined }],
  ['empty:', { key: 'empty', value: '' }],
  [':value', { key: '', value: 'value' }],
])('the tag %s is cut at its first colon', (tag, expected) => {
  expect(splitTag(tag)).toEqual(expected);
});
