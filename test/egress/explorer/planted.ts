import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import type { Parts } from './parts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, '.usher-cache', `explorer-${process.pid}`);

/** A piece of a source file and what stands there instead. */
export interface Change {
  readonly file: string;
  readonly piece: string;
  readonly instead: string;
}

let planted = 0;

/** The explored code with changes in its text; a piece that is not there, or is there twice, is an error. */
export async function plant(changes: readonly Change[]): Promise<Parts> {
  const outfile = join(folder, `${(planted += 1)}.mjs`);
  const left = new Set(changes);
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, 'test/egress/explorer/parts.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'planted',
        setup({ onLoad }) {
          onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
            let contents = await readFile(path, 'utf8');
            for (const change of changes) {
              if (path !== join(root, change.file)) continue;
              const [before, after, ...more] = contents.split(change.piece);
              if (before === undefined || after === undefined || more.length > 0)
                throw new Error(`${change.file} does not hold this once: ${change.piece}`);
              contents = before + change.instead + after;
              left.delete(change);
            }
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  for (const { file } of left) throw new Error(`${file} is not part of the bundle.`);
  const { parts } = (await import(pathToFileURL(outfile).href)) as { parts: Parts }; // made of parts.ts
  return parts;
}

/** Removes what was built. */
export const unplant = (): void => rmSync(folder, { recursive: true, force: true });
