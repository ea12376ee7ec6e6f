import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
    define: { 'import.meta.url': JSON.stringify(from.href) },
    plugins: syncMs === undefined ? [] : [slowDisk(from, syncMs)],
  });
  return {
    file: pathToFileURL(outfile),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Puts `slowed` around each connection that the driver opens. */
const slowDisk = (from: URL, syncMs: number): Plugin => ({
  name: 'slow disk',
  setup({ onLoad }) {
    onLoad({ filter: /\/sqlite-driver\.ts$/ }, ({ path }) => {
      const driver = readFileSync(path, 'utf8');
      const at = 'export const openDatabase: OpenDatabase =';
      if (!driver.includes(at))
        throw new Error(`${path} opens databases in another way now: "${at}" is gone.`);
      const slowedFile = fileURLToPath(new URL('../../test/store/slowed.ts', from));
      const contents =
        `import { slowed } from ${JSON.stringify(slowedFile)};\n` +
        driver.replace(at, 'const openAtOnce: OpenDatabase =') +
        `\n${at} (path, options) => slowed(openAtOnce(path, options), ${syncMs});\n`;
      return { contents, loader: 'ts' };
    });
  },
});
