import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const SOURCE = new URL('../../src/store/store-worker.ts', import.meta.url);

/**
 * The store's worker as one JavaScript file, for Nodes that cannot start a thread from TypeScript. With `syncMs` its
 * disk is slow: each commit takes that much longer.
 */
export async function buildWorker(
  from = SOURCE,
  syncMs?: number,
): Promise<{ readonly file: URL; readonly remove: () => void }> {
  const directory = mkdtempSync(join(tmpdir(), 'usher-worker-'));
  const outfile = join(directory, 'store-worker.mjs');
  await build({
    entryPoints: [fileURLToPath(from)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // The bundle lies elsewhere but finds packages from where its source lies.
    define: {
      'import.meta.url': JSON.stringify(from.href),
      'process.env.USHER_SYNC_MS': JSON.stringify(String(syncMs)),
    },
    plugins: syncMs === undefined ? [] : [slowDisk(from)],
  });
  return {
    file: pathToFileURL(outfile),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Puts the slow driver where the kernel asks for the real one. */
const slowDisk = (from: URL): Plugin => ({
  name: 'slow disk',
  setup({ onResolve }) {
    onResolve({ filter: /\/sqlite-driver\.ts$/ }, ({ importer }) =>
      importer.endsWith('slow-driver.ts')
        ? undefined
        : { path: fileURLToPath(new URL('../../test/store/slow-driver.ts', from)) },
    );
  },
});
