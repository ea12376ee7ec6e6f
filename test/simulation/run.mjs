/** `npm run simulate -- --seeds 1000`, or `--seed N --verbose` to play one again. */
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

await import(pathToFileURL(await bundle('simulate')).href);
