import type { Place } from './world.ts';

/** How late it is (interface.md, "Channel object": a lag of a few seconds). */
const LAG_MS = 3_000;

/** Writes down the number of members after it changed, and when. */
export function noteSize(place: Place, now: number): void {
  place.lastUpdate = now;
  place.sizes.push({ at: now, size: place.members.size });
  while (place.sizes.length > 1 && (place.sizes[1]?.at ?? now) <= now - LAG_MS) place.sizes.shift();
}

/** The number of members as it was a few seconds ago. */
export function estimatedSize(place: Place, now: number): number {
  let size = 0;
  for (const step of place.sizes) if (step.at <= now - LAG_MS) size = step.size;
  return size;
}
