/** Bundles the simulation with everything that it simulates into one file, like the benches. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'usher-simulation');

/** Gives the bundle's file. */
export async function bundle(name, plugins = []) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"type": "module"}');
  const outfile = join(cache, `${name}.mjs`);
  await build({
    entryPoints: [join(here, 'command.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    alias: Object.fromEntries(
      ['platform', 'plugin', 'text'].map((door) => [`usher/${door}`, join(root, 'src', door, 'index.ts')]),
    ),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    plugins,
  });
  return outfile;
}
