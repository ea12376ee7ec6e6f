import { fileURLToPath } from 'node:url';

/** A file or folder that is shipped beside the program. */
export const shipped = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
