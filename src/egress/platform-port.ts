import type { PlatformClient } from '../platform/index.ts';

/** The operations that actions need; tests script them. */
export type PlatformPort = Pick<
  PlatformClient,
  | 'sendMessage'
  | 'listMessages'
  | 'purgeMessages'
  | 'terminateStream'
  | 'createTranscoding'
  | 'deleteTranscoding'
  | 'createComposition'
  | 'updateComposition'
  | 'deleteComposition'
>;
