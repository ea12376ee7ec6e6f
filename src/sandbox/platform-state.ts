import type { World } from './world/world.ts';

/** A registered callback with its defaults filled in (interface.md, "Callback object"). */
export interface CallbackTarget {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query: string;
}

/** What operations work on: the world, and where its notifications go. */
export interface Platform {
  readonly world: World;
  callback: CallbackTarget | undefined;
}
