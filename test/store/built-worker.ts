import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SOURCE = new URL('../../src/store/store-worker.ts', import.meta.url);

/** The store's worker as one JavaScript file, for Nodes that cannot start a thread from TypeScript. */
export async function buildWorker(
  from = SOURCE,
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
    define: { 'import.meta.url': JSON.stringify(from.href) },
  });
  return {
    file: pathToFileURL(outfile),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
