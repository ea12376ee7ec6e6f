import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadPlugins } from '../../src/daemon/load-plugins.ts';

const shipped = fileURLToPath(new URL('../../plugins', import.meta.url));
let folder = '';
let cache = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usher-plugins-'));
  cache = join(folder, '.cache');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const rule = (name: string, more = ''): string => `
import { defineRule, z } from 'usher/plugin';
${more}
const spoken: string = 'message.posted';
export default defineRule({ name: '${name}', hears: ['message.posted'], mayDo: ['log.write'], options: z.strictObject({}), decide: () => [] });
`;

describe('loading plugins', () => {
  test('the shipped folder holds four', async () => {
    const { plugins, findings } = await loadPlugins(shipped, cache);
    expect(findings).toEqual([]);
    expect([...plugins.keys()].sort()).toEqual([
      'auto-moderation',
      'auto-transcode',
      'censorship-kill',
      'pip-composition',
    ]);
  });

  test('TypeScript and JavaScript, files and folders, with files of their own', async () => {
    await writeFile(join(folder, 'one.ts'), rule('one'));
    await writeFile(join(folder, 'two.mjs'), rule('two').replace(': string', ''));
    await mkdir(join(folder, 'three'));
    await writeFile(join(folder, 'three', 'word.ts'), 'export const word: string = "three";');
    await writeFile(
      join(folder, 'three', 'index.ts'),
      rule('three', "import { word } from './word.ts'; void word;"),
    );
    await writeFile(join(folder, 'three', 'index.test.ts'), 'throw new Error("a test is no plugin")');
    const { plugins, findings } = await loadPlugins(folder, cache);
    expect(findings).toEqual([]);
    expect([...plugins.keys()]).toEqual(['one', 'three', 'two']);
  });

  test('rxjs and zod are there, also for a folder without packages; any other package is not', async () => {
    await writeFile(
      join(folder, 'lent.ts'),
      rule('lent', "import { map } from 'rxjs'; import * as all from 'zod'; void [map, all];"),
    );
    await writeFile(join(folder, 'other.ts'), rule('other', "import pino from 'pino'; void pino;"));
    const { plugins, findings } = await loadPlugins(folder, cache);
    expect([...plugins.keys()]).toEqual(['lent']);
    expect(findings).toEqual([expect.stringMatching(/other\.ts:3:\d+ Could not resolve "pino"/)]);
  });

  test('a changed file is a new plugin', async () => {
    const file = join(folder, 'one.ts');
    await writeFile(file, rule('before'));
    await loadPlugins(folder, cache);
    await writeFile(file, rule('after'));
    expect([...(await loadPlugins(folder, cache)).plugins.keys()]).toEqual(['after']);
  });

  test('what does not load is told, all of it, and the rest is loaded', async () => {
    await writeFile(join(folder, 'broken.ts'), 'export default (;\n');
    await writeFile(join(folder, 'good.ts'), rule('good'));
    await writeFile(join(folder, 'none.ts'), 'export default 42;\n');
    await writeFile(join(folder, 'same.ts'), rule('good'));
    await writeFile(join(folder, 'throws.ts'), 'throw new Error("no luck");\n');
    const { plugins, findings } = await loadPlugins(folder, cache);
    expect([...plugins.keys()]).toEqual(['good']);
    expect(findings).toEqual([
      expect.stringMatching(/broken\.ts:1:\d+ /),
      expect.stringMatching(/none\.ts:1:1 exports no plugin/),
      expect.stringMatching(/same\.ts:1:1 there is another plugin named "good"/),
      expect.stringMatching(/throws\.ts:1:1 did not load: no luck/),
    ]);
  });

  test('a folder that is not there holds none', async () => {
    expect((await loadPlugins(join(folder, 'nowhere'), cache)).plugins.size).toBe(0);
  });
});
