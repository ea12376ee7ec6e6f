import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import type { PastDeaths } from '../engine/ports.ts';
import { ruleIdentity } from '../engine/rule-identity.ts';

/** Two are no accident any more. */
const DEATHS_TO_SET_ASIDE = 2;
/** A rule that two events had to be set aside for will find a third. */
const EVENTS_TO_REST = 2;
/** How many are remembered, and how long: by then the rule was mended, or rests. */
const MOST_DEATHS = 100;
const REMEMBERED_MS = 7 * 24 * 3_600_000;

const deathSchema = z.strictObject({
  /** Ms since 1970. */
  at: z.number(),
  bot: z.string(),
  rule: z.string(),
  fingerprint: z.string(),
  event: z.string(),
});
const fileSchema = z.strictObject({ version: z.literal(1), deaths: z.array(deathSchema) });

/** The watchdog ended the daemon because this rule did not come back from this event. */
export type Death = z.infer<typeof deathSchema>;

/** Reads the notes of earlier lives; none where there is no file. Throws when the file is damaged. */
export function readDeaths(path: string): readonly Death[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return fileSchema.parse(JSON.parse(text)).deaths;
}

/** Adds a note, durable when it returns. A damaged file is begun anew: the newest death counts most. */
export function noteDeath(path: string, death: Death): void {
  let before: readonly Death[] = [];
  try {
    before = readDeaths(path);
  } catch {
    // Told at the next start, too late for now.
  }
  const deaths = [...before, death].filter(({ at }) => death.at - at < REMEMBERED_MS).slice(-MOST_DEATHS);
  mkdirSync(dirname(path), { recursive: true });
  const text = JSON.stringify({ version: 1, deaths } satisfies z.infer<typeof fileSchema>, undefined, 2);
  writeFileAtomic.sync(path, `${text}\n`, { mode: 0o600, fsync: true });
}

/** What follows from the deaths so far: two of one rule at one event set the event aside for that rule. */
export function pastDeaths(deaths: readonly Death[]): PastDeaths {
  const times = new Map<string, number>();
  const setAside = new Map<string, Set<string>>();
  const resting = new Set<string>();
  const eventsOf = new Map<string, number>();
  for (const death of deaths) {
    const identity = ruleIdentity(death);
    const pair = `${identity}\n${death.event}`;
    const count = (times.get(pair) ?? 0) + 1;
    times.set(pair, count);
    if (count !== DEATHS_TO_SET_ASIDE) continue;
    setAside.set(death.event, (setAside.get(death.event) ?? new Set()).add(identity));
    const events = (eventsOf.get(identity) ?? 0) + 1;
    eventsOf.set(identity, events);
    if (events >= EVENTS_TO_REST) resting.add(identity);
  }
  return { setAside, resting };
}
