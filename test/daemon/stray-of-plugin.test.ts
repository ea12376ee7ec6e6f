import { expect, test } from 'vitest';
import { strayOfPlugin } from '../../src/daemon/stray-of-plugin.ts';

const withStack = (...frames: readonly string[]): Error =>
  Object.assign(new Error('astray'), { stack: ['Error: astray', ...frames].join('\n    at ') });
const timer = 'listOnTimeout (node:internal/timers:581:17)';

test('what a plugin throws is known by its code, as it was loaded; what usher throws is not', () => {
  const file = '/srv/usher/data/plugins/0123456789abcdef.mjs:12:34';
  expect(strayOfPlugin(withStack(`Timeout._onTimeout (file://${file})`, timer))).toBe(`file://${file}`);
  expect(
    strayOfPlugin(withStack('read (/srv/node_modules/zod/v4/core/parse.js:1:2)', `file://${file}`)),
  ).toBe(`file://${file}`);
  expect(strayOfPlugin(withStack('commit (/srv/usher/dist/store/kernel.js:1:2)', timer))).toBeUndefined();
  expect(strayOfPlugin(withStack('load (/srv/usher/plugins/mine/index.mjs:1:2)', timer))).toBeUndefined();
  expect(strayOfPlugin(new Error('ours'))).toBeUndefined();
});

test('what is no error was thrown by an author', () => {
  expect(strayOfPlugin('words')).toMatch(/no error/);
  expect(strayOfPlugin(undefined)).toMatch(/no error/);
  const wrapped = Object.assign(new Error('wrapped by Node'), { code: 'ERR_UNHANDLED_REJECTION' });
  expect(strayOfPlugin(wrapped)).toMatch(/rejected with what is no error/);
});
