/** Bundles the simulation with everything that it simulates into one program, like the benches. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'usher-simulation');
const DOORS = ['platform', 'plugin', 'text'];

const program = `
import { command } from './command.ts';
process.exitCode = await command(process.argv.slice(2), (line) => void process.stdout.write(line + '\\n'));
`;

export async function bundle(name, plugins = []) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"type": "module"}');
  const outfile = join(cache, `${name}.mjs`);
  await build({
    stdin: { contents: program, resolveDir: here },
    outfile,
    bundle: true,
    packages: 'external',
    alias: Object.fromEntries(DOORS.map((door) => [`usher/${door}`, join(root, 'src', door, 'index.ts')])),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    plugins,
  });
  return outfile;
}
