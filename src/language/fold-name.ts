/** Names are compared in one shape: NFKC, lower case, no space around. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase().trim();
