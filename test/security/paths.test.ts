import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfiguration } from '../../src/daemon/configuration.ts';
import { loadPlugins } from '../../src/daemon/load-plugins.ts';
import { loadRules, RulesError } from '../../src/daemon/load-rules.ts';
import { ConfigurationError } from '../../src/errors.ts';

/** `show` is what the operator gave us; everything beside it is not ours to read. */
let machine = '';
let show = '';
beforeEach(async () => {
  machine = await mkdtemp(join(tmpdir(), 'usher-paths-'));
  show = join(machine, 'show');
  for (const folder of ['bots', 'lists', 'plugins', 'data'])
    await mkdir(join(show, folder), { recursive: true });
  await writeFile(join(show, 'lists', 'words.txt'), 'grobnik\n');
  await writeFile(join(machine, 'outside.txt'), 'canary\ncanary\n');
  await writeFile(join(show, '.env'), 'USHER_SECRET=canary\nUSHER_SECRET=canary\n');
});
afterEach(() => rm(machine, { recursive: true, force: true }));

const load = () =>
  loadRules({
    bots: [join(show, 'bots')],
    plugins: join(show, 'plugins'),
    cache: join(show, 'data', 'plugins'),
    environment: {},
  });

describe('the list of a bot', () => {
  /** What is wrong with a list of that path, without the name of the file; no lines where it is taken. */
  const findings = async (path: string): Promise<readonly string[]> => {
    const text = `version: 1\nbot: b\nlists:\n  x: {file: ${JSON.stringify(path)}}\nrules:\n  - {id: r, when: message, if: {text: {list: x}}, then: hide}\n`;
    await writeFile(join(show, 'bots', 'b.yaml'), text);
    try {
      await load();
      return [];
    } catch (error) {
      if (!(error instanceof RulesError)) throw error;
      // What may not be read is not watched either: watching the root of a disk would be the end of it.
      for (const list of error.lists) expect(list.startsWith(join(show, '/'))).toBe(true);
      return error.findings.map((line) => line.slice(line.indexOf('b.yaml:') + 'b.yaml:'.length));
    }
  };

  test('is read beside the bots and anywhere below what holds them', async () => {
    expect(await findings('../lists/words.txt')).toEqual([]);
    expect(await findings('./../bots/../lists/words.txt')).toEqual([]);
    expect((await load()).lists).toEqual([join(show, 'lists', 'words.txt')]);
    await symlink(join(show, 'lists', 'words.txt'), join(show, 'lists', 'link.txt'));
    expect(await findings('../lists/link.txt')).toEqual([]);
    await writeFile(join(show, 'bots', 'words.txt'), 'grobnik\n');
    expect(await findings('words.txt')).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['above the show', '../../outside.txt', 'lies outside of'],
    ['above it by a detour', '../lists/../../outside.txt', 'lies outside of'],
    ['above everything', '../'.repeat(40), 'lies outside of'],
    ['elsewhere, be there one or not', '../../nothing.txt', 'lies outside of'],
    ['beside it, with a name that begins like its own', '../../show-2/words.txt', 'lies outside of'],
    ['hidden', '../.env', 'hidden files are no lists'],
    ['a folder', '../lists', 'it is no file'],
    ['absolute', '/etc/passwd', 'no absolute path'],
    ['absolute on Windows', 'C:/Windows/win.ini', 'no absolute path'],
    ['with the separators of Windows', '..\\..\\outside.txt', 'no backslash'],
    ['with a NUL', '../lists/words.txt\0.yaml', 'must be a path'],
    ['with a line feed', '../lists/words.txt\n', 'must be a path'],
    ['an address', 'https://lists.example/words.txt', 'no address'],
    ['an address of a file', 'file:///etc/passwd', 'no address'],
  ])('that is %s is a finding with its position', async (_, path, reason) => {
    expect(await findings(path)).toEqual([
      expect.stringMatching(new RegExp(`^4:13 lists\\.x\\.file: .*${reason}`)),
    ]);
    expect((await findings(path)).join()).not.toContain('canary');
  });

  test('that is a link is where the link leads', async () => {
    await symlink(join(machine, 'outside.txt'), join(show, 'lists', 'out.txt'));
    await symlink(join(show, '.env'), join(show, 'lists', 'hidden.txt'));
    await symlink(machine, join(show, 'lists', 'up'));
    for (const path of ['../lists/out.txt', '../lists/hidden.txt', '../lists/up/outside.txt'])
      expect(await findings(path)).toEqual([expect.stringMatching(/^4:13 lists\.x\.file: .*it is a link/)]);
  });

  test('that is no list of words by its size is not read', async () => {
    await writeFile(join(show, 'lists', 'huge.txt'), '');
    await truncate(join(show, 'lists', 'huge.txt'), 9_000_000);
    expect(await findings('../lists/huge.txt')).toEqual([expect.stringMatching(/9000000 bytes, more than/)]);
  });
});

describe('a plugin', () => {
  const RULE = `import { defineRule, z } from 'usher/plugin';
export default defineRule({ name: 'good', hears: ['message.posted'], mayDo: ['log.write'], options: z.strictObject({}), decide: () => [] });
`;
  const plugins = () => loadPlugins(join(show, 'plugins'), join(show, 'data', 'plugins'));

  test('may share files with others in its folder, also by a link within it', async () => {
    await writeFile(join(show, 'plugins', 'shared.mjs'), `${RULE}export const word = 'shared';`);
    await mkdir(join(show, 'plugins', 'one'));
    await writeFile(
      join(show, 'plugins', 'one', 'index.ts'),
      `import { word } from '../shared.mjs'; void word;\n${RULE.replace("'good'", "'one'")}`,
    );
    const { plugins: found, findings } = await plugins();
    expect(findings).toEqual([]);
    expect([...found.keys()].sort()).toEqual(['good', 'one']);
  });

  test.each(['../../outside.mjs', '../data/../../outside.mjs', 'ABSOLUTE'])(
    'that imports %s is a finding with its position',
    async (path) => {
      const outside = join(machine, 'outside.mjs');
      await writeFile(outside, 'export const word = 1;');
      const from = path === 'ABSOLUTE' ? outside : path;
      await writeFile(
        join(show, 'plugins', 'out.ts'),
        `import { word } from '${from}';\nvoid word;\n${RULE}`,
      );
      const { plugins: found, findings } = await plugins();
      expect(findings).toEqual([expect.stringMatching(/out\.ts:1:\d+ .*leads out of the folder of plugins/)]);
      expect(found.size).toBe(0);
    },
  );

  test('that is a link out of its folder, or imports through one, is not loaded', async () => {
    await mkdir(join(machine, 'elsewhere'));
    await writeFile(join(machine, 'elsewhere', 'index.ts'), RULE);
    await symlink(join(machine, 'elsewhere', 'index.ts'), join(show, 'plugins', 'file.ts'));
    await symlink(join(machine, 'elsewhere'), join(show, 'plugins', 'folder'));
    await symlink(join(machine, 'elsewhere'), join(show, 'plugins', '.hidden'));
    await writeFile(join(show, 'plugins', 'through.ts'), `import './.hidden/index.ts';\n${RULE}`);
    const { plugins: found, findings } = await plugins();
    expect(findings).toEqual([
      expect.stringMatching(/file\.ts:1:1 is a link out of the folder/),
      expect.stringMatching(/folder.*:1:1 is a link out of the folder/),
      expect.stringMatching(/through\.ts:1:\d+ .*leads out of the folder/),
    ]);
    expect(found.size).toBe(0);
  });

  test('is named by its name: a path under "use" is an unknown plugin, and nothing is read', async () => {
    await writeFile(join(show, 'plugins', 'good.ts'), RULE);
    for (const use of ['../../outside', '/etc/passwd', './plugins/good.ts', '__proto__', 'good\\0']) {
      const text = `version: 1\nbot: b\nrules:\n  - {id: r, use: "${use}", grants: [log.write]}\n`;
      await writeFile(join(show, 'bots', 'b.yaml'), text);
      await expect(load()).rejects.toThrow(/b\.yaml:4:\d+ rules\.0\.use: unknown/);
    }
  });
});

test('a folder in the configuration holds no control characters', () => {
  const text = `platform: {baseUrl: "http://127.0.0.1:1", applicationId: demo, secret: s3cr3t}\nconsole: {token: t0ken}\n`;
  for (const key of ['data', 'bots', 'plugins'])
    expect(() =>
      parseConfiguration(`${text}${key}: "a\\0b"\n`, {
        file: '/etc/usher.yaml',
        shown: 'usher.yaml',
        environment: {},
      }),
    ).toThrow(
      new ConfigurationError([
        `usher.yaml:3:${key.length + 3} ${key}: must be a path, without control characters`,
      ]),
    );
});
