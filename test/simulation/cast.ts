import type { Role } from '../../src/domain/member.ts';
import type { PlaceKind } from '../../src/domain/place.ts';

/** Why somebody may be hidden, silenced or ended: nothing else of theirs may. */
export interface Guilt {
  /** Ids of the slurs that were said, in order. */
  readonly slurs: string[];
  /** A moderator wrote `!censor` and the name, at a time when the daemon knew both. */
  censored: boolean;
}

/** Somebody who takes part; names are unique, so that a name tells who was meant. */
export interface Person {
  readonly name: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly placeId: string;
  readonly guilt: Guilt;
}

/** `pretending`: somebody who is no moderator orders a stream to be ended. */
export type Saying = 'greeting' | 'slur' | 'command' | 'censoring' | 'pretending';

/** A message as it was said. */
export interface Said {
  readonly messageId: string;
  readonly roomId: string;
  readonly by: Person;
  readonly what: Saying;
  /** How many slurs its author had said by then, this one included. */
  readonly slursByThen: number;
}

/** What really happened: what the daemon should have seen, and what it should have done. */
export interface Truth {
  readonly places: { readonly id: string; readonly kind: PlaceKind }[];
  readonly people: Map<string, Person>;
  readonly said: Map<string, Said>;
}

export const SLUR = 'grobnik';

/** No two look alike, and none holds the slur. */
export const NAMES: readonly string[] = `Ada Bela Cora Dino Edda Falk Gitta Hugo Ines Jupp Karl Lotte
  Mara Nele Otto Pia Quinn Rosa Sven Tilda Udo Vera Wanda Yara`.split(/\s+/);
