/** Places found by id, and by alias and name, which are each unique among places of one kind. */
export class PlaceIndex<P extends { readonly id: string; readonly alias: string; readonly name: string }> {
  readonly #byId = new Map<string, P>();
  readonly #byAlias = new Map<string, P>();
  readonly #byName = new Map<string, P>();

  add(place: P): void {
    this.#byId.set(place.id, place);
    this.#byAlias.set(place.alias, place);
    this.#byName.set(place.name, place);
  }

  remove(place: P): void {
    this.#byId.delete(place.id);
    this.#byAlias.delete(place.alias);
    this.#byName.delete(place.name);
  }

  get(id: string): P | undefined {
    return this.#byId.get(id);
  }

  byAlias(alias: string): P | undefined {
    return this.#byAlias.get(alias);
  }

  byName(name: string): P | undefined {
    return this.#byName.get(name);
  }

  all(): IterableIterator<P> {
    return this.#byId.values();
  }
}
