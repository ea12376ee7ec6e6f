import type { Plugin } from 'esbuild';

/** Gives the file of the program; it takes the arguments of `npm run simulate`. */
export declare function bundle(name: string, plugins?: readonly Plugin[]): Promise<string>;
