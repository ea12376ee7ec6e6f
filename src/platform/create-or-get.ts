import { ConflictError } from './errors.ts';

interface Named {
  readonly alias: string;
  readonly name: string;
}

/**
 * Creates a place, or gives the one that has its alias (its name where the alias is to be generated). A place that only
 * shares the name is another one: the conflict stands. `find` is asked where the answer did not carry the object.
 */
export async function createOrGet<T extends Named>(
  wanted: Named,
  way: {
    readonly create: () => Promise<T>;
    readonly existing: (conflict: ConflictError) => T | undefined;
    readonly find: () => Promise<readonly T[]>;
  },
): Promise<{ readonly place: T; readonly created: boolean }> {
  const isWanted = (place: Named): boolean =>
    wanted.alias === '' ? place.name === wanted.name : place.alias === wanted.alias;
  try {
    return { place: await way.create(), created: true };
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const carried = way.existing(error);
    const place = carried === undefined ? (await way.find()).find(isWanted) : carried;
    if (place === undefined || !isWanted(place)) throw error;
    return { place, created: false };
  }
}
