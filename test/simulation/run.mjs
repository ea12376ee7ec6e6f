/** `npm run simulate -- --seeds 1000`, or `--seed N --verbose` to play one again. */
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

const program = await bundle(`simulate-${process.pid}`);
try {
  await import(pathToFileURL(program).href);
} finally {
  rmSync(program);
}
