import type { PlaceKey } from './place.ts';

/** The ordered line that an event belongs to: its place, else its stream, else the daemon's own. */
export type LaneKey = PlaceKey | `stream:${string}` | 'daemon';
