/**
 * `npm run bench [-- name…]`: runs every `bench/*.bench.ts`, one after the other in a process of its own, prints one
 * table and exits with 1 when a target is missed. Each file exports `run()`: rows of name, value, unit, target, ok.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = join(here, '..', 'node_modules', '.cache', 'usher-bench');
const wanted = process.argv.slice(2);
const names = readdirSync(here)
  .filter(
    (file) =>
      file.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((name) => file.startsWith(name))),
  )
  .sort();

/** Peers are installed apart, on first use: usher itself depends on none of them. */
const peers = join(here, 'peers');
if (names.some((name) => name.startsWith('receiver')) && !existsSync(join(peers, 'node_modules'))) {
  process.stderr.write('installing the peers to measure against …\n');
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: peers, stdio: 'inherit' });
}

rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
writeFileSync(join(cache, 'package.json'), '{"type": "module"}');
// A bundle looks for the store's worker beside itself.
await build({
  entryPoints: [join(here, '..', 'src', 'store', 'store-worker.ts')],
  outfile: join(cache, 'store-worker.js'),
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
const rows = [];
for (const name of names) {
  const bundle = join(cache, name.replace('.ts', '.mjs'));
  await build({
    entryPoints: [join(here, name)],
    outfile: bundle,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Files that a bench names by its own address (a worker, a fixture) are looked up beside the sources.
    define: { 'process.env.USHER_BENCH_FOLDER': JSON.stringify(here) },
  });
  const start = join(cache, `${name}.start.mjs`);
  writeFileSync(
    start,
    `import { run } from ${JSON.stringify(pathToFileURL(bundle).href)};\nconst rows = await run();\nprocess.stdout.write('\\n@rows ' + JSON.stringify(rows) + '\\n', () => process.exit(0));\n`,
  );
  process.stderr.write(`${name} …\n`);
  const done = spawnSync(process.execPath, ['--expose-gc', start], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, USHER_BENCH_PEER: pathToFileURL(join(peers, 'probot.mjs')).href },
  });
  const line = done.stdout.split('\n').find((text) => text.startsWith('@rows '));
  if (line === undefined) {
    process.stderr.write(`${name} printed no rows (exit ${done.status})\n${done.stdout}`);
    rows.push({ name, value: Number.NaN, unit: '', target: 'runs', ok: false });
  } else {
    rows.push(...JSON.parse(line.slice('@rows '.length)));
  }
}

const show = (value) =>
  Number.isFinite(value) ? value.toLocaleString('en', { maximumSignificantDigits: 4 }) : '-';
const widest = Math.max(20, ...rows.map((row) => row.name.length));
for (const row of rows) {
  const mark = row.ok ? 'ok  ' : 'MISS';
  process.stdout.write(
    `${mark} ${row.name.padEnd(widest)} ${`${show(row.value)} ${row.unit}`.padStart(20)}   target ${row.target}\n`,
  );
}
process.exitCode = rows.every((row) => row.ok) ? 0 : 1;
