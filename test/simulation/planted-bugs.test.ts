import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { bundle } from './bundle.mjs';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A bug that survives so many seeds is one that the simulation cannot see. */
const SEEDS = 60;

/** Puts the bug into the source while it is bundled; says so where the source has changed under it. */
const plant = ({ file, piece, instead }: PlantedBug): Plugin => ({
  name: 'plant',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (relative(root, path).split(sep).join('/') !== file) return undefined;
      const text = await readFile(path, 'utf8');
      if (text.split(piece).length !== 2)
        return { errors: [{ text: `${file} does not hold this exactly once: ${piece}` }] };
      return { contents: text.replace(piece, () => instead), loader: 'ts' };
    });
  },
});

/** What the first seed that finds the bug prints; empty when none does. */
const hunt = (program: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, '--seeds', String(SEEDS), '--until-found', '--storm'],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve(error ? `${stdout}${stderr}` : ''),
    );
  });

describe.concurrent('the simulation finds each planted bug', () => {
  test.each(PLANTED_BUGS.map((bug, nth) => ({ ...bug, nth })))(
    '$name',
    async ({ nth, ...bug }) => {
      const program = await bundle(`planted-${process.pid}-${nth}`, [plant(bug)]);
      const said = await hunt(program);
      await rm(program);
      expect(said, `survived ${SEEDS} seeds`).toMatch(
        /^seed \d+ fails[\s\S]*(lost|doubled|misordered|wrongly punished|not journaled|broken): /,
      );
    },
    300_000,
  );
});

test('without a bug none of these seeds fails', async () => {
  const program = await bundle(`unplanted-${process.pid}`);
  const said = await hunt(program);
  await rm(program);
  expect(said).toBe('');
}, 300_000);

test('each planted bug is one of its own', () => {
  expect(new Set(PLANTED_BUGS.map(({ name }) => name)).size).toBe(PLANTED_BUGS.length);
  expect(PLANTED_BUGS.length).toBeGreaterThanOrEqual(10);
  expect(PLANTED_BUGS.every(({ file }) => file.startsWith(join('src', '')))).toBe(true);
});
