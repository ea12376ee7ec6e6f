import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import autoModeration from '../../plugins/auto-moderation/index.ts';
import autoTranscode from '../../plugins/auto-transcode/index.ts';
import censorshipKill from '../../plugins/censorship-kill/index.ts';
import pipComposition from '../../plugins/pip-composition/index.ts';
import type { PluginDefinition } from '../../src/plugin/definitions.ts';
import { compile } from './compile.ts';

test('the shipped bots compile with the shipped plugins, without a finding or a warning', () => {
  const files = readdirSync('bots').map((name) => ({
    path: `bots/${name}`,
    text: readFileSync(`bots/${name}`, 'utf8'),
  }));
  const shipped: readonly (PluginDefinition | readonly PluginDefinition[])[] = [
    autoModeration,
    autoTranscode,
    censorshipKill,
    pipComposition,
  ];
  const plugins = new Map(shipped.flat().map((plugin) => [plugin.name, plugin] as const));
  const compiled = compile('', { files, plugins, readFile: (path) => readFileSync(path, 'utf8') });
  expect(compiled).toMatchObject({ bots: [{ name: 'house' }, { name: 'producer' }], warnings: [] });
});
