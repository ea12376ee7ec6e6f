/** A place in a file, counted from 1 as editors do. */
export interface Position {
  readonly line: number;
  readonly col: number;
}

/**
 * A value of a YAML file together with where it stands: what the compiler walks instead of plain objects, so that
 * every finding can say `file:line:col path`.
 */
export class Spot {
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly at: Position;
  /** Where the key stands, for a value of a map; else the value's own position. */
  readonly keyAt: Position;
  /** Plain data, `${…}` filled in. */
  readonly value: unknown;
  /** As written, before `${…}`: the only spelling that may be shown, since the filled one may be a secret. */
  readonly written: string;
  /** It has no value (a missing `${…}`, an unknown alias), which was told already. */
  readonly unfilled: boolean;
  readonly #children: ReadonlyMap<string | number, Spot>;

  constructor(of: {
    readonly file: string;
    readonly path: readonly (string | number)[];
    readonly at: Position;
    readonly keyAt?: Position;
    readonly value: unknown;
    readonly written?: string;
    readonly unfilled?: boolean;
    readonly children?: ReadonlyMap<string | number, Spot>;
  }) {
    this.file = of.file;
    this.path = of.path;
    this.at = of.at;
    this.keyAt = of.keyAt ?? of.at;
    this.value = of.value;
    this.written = of.written ?? String(of.value);
    this.unfilled = of.unfilled ?? false;
    this.#children = of.children ?? new Map();
  }

  get kind(): 'map' | 'list' | 'empty' | 'scalar' {
    if (Array.isArray(this.value)) return 'list';
    if (this.value === null || this.value === undefined) return 'empty';
    return typeof this.value === 'object' ? 'map' : 'scalar';
  }

  get(key: string | number): Spot | undefined {
    return this.#children.get(key);
  }

  /** The entries of a map in file order; of a list, the items under their index. */
  entries(): readonly (readonly [string, Spot])[] {
    return [...this.#children].map(([key, spot]) => [String(key), spot] as const);
  }

  items(): readonly Spot[] {
    return [...this.#children.values()];
  }

  /** The deepest spot on the way to `path` that exists. */
  nearest(path: readonly PropertyKey[]): Spot {
    const [head, ...rest] = path;
    const child = typeof head === 'string' || typeof head === 'number' ? this.get(head) : undefined;
    return child === undefined ? this : child.nearest(rest);
  }

  /** The same value reported at its key and under a longer path: how an unknown word is pointed at. */
  asKey(...more: readonly string[]): Spot {
    return new Spot({ file: this.file, path: [...this.path, ...more], at: this.keyAt, value: this.value });
  }

  /** An empty map at this spot: the options of what was written without any. */
  asEmptyMap(): Spot {
    return new Spot({ file: this.file, path: this.path, at: this.at, keyAt: this.keyAt, value: {} });
  }

  /** The same spot under a longer path. */
  under(...more: readonly string[]): Spot {
    return new Spot({
      file: this.file,
      path: [...this.path, ...more],
      at: this.at,
      keyAt: this.keyAt,
      value: this.value,
      written: this.written,
      unfilled: this.unfilled,
      children: this.#children,
    });
  }
}
