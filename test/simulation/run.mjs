/** `npm run simulate -- --seeds 1000`, or `--seed N --verbose` to play one again. */
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

const { command } = await import(pathToFileURL(await bundle('command')).href);
process.exitCode = await command(process.argv.slice(2), (line) => void process.stdout.write(`${line}\n`));
