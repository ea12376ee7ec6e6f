import type { Plain } from '../domain/memory.ts';

/** Changed parts of a lane since its last commit, by name; null is a deleted one. */
export interface PartChanges {
  parts: Record<string, Plain | null>;
}

/**
 * Records of one kind in a lane's state. Each record is a part of its own, `<kind>/<key>`, so that a change writes one
 * record and not the room. Records are never changed in place: a change is a new record under the same key.
 */
export class PartMap<T extends object> extends Map<string, T> {
  readonly #prefix: string;
  readonly #changes: PartChanges;

  constructor(kind: string, changes: PartChanges) {
    super();
    this.#prefix = `${kind}/`;
    this.#changes = changes;
  }

  override set(key: string, record: T): this {
    // Records hold plain data only; an interface has no index signature to say so.
    this.#changes.parts[this.#prefix + key] = record as unknown as Plain;
    return super.set(key, record);
  }

  override delete(key: string): boolean {
    const had = super.delete(key);
    if (had) this.#changes.parts[this.#prefix + key] = null;
    return had;
  }

  /** Takes over what the store had; that is no change. */
  restore(key: string, record: Plain): void {
    // It was written by `set` of the same kind.
    super.set(key, record as unknown as T);
  }
}
