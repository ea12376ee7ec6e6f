import type { MessagePosted } from '../domain/event.ts';
import type { PlaceKey } from '../domain/place.ts';
import type { RecentMessage } from '../domain/place-view.ts';
import type { PartMap } from './part-map.ts';
import type { MessageRun } from './records.ts';

const RUN = 16;
const RUNS = 13;

/**
 * The newest messages of a room, some 200 of them, in runs that go round: a commit writes the runs that got something
 * and not them all.
 */
export class RecentMessages {
  readonly #place: PlaceKey | undefined;
  readonly #runs: PartMap<MessageRun>;
  #current: MessageRun = { from: 0, ids: [], ats: [], authors: [] };
  /** Newer than the current run; in the records with the next `flush`. */
  #fresh: MessagePosted[] = [];
  #list: readonly RecentMessage[] | undefined;

  /** `runs` as the store had them. */
  constructor(place: PlaceKey | undefined, runs: PartMap<MessageRun>) {
    this.#place = place;
    this.#runs = runs;
    for (const run of runs.values()) if (run.from >= this.#current.from) this.#current = run;
  }

  add(message: MessagePosted): void {
    this.#fresh.push(message);
    this.#list = undefined;
  }

  /** Brings what was added into the records. */
  flush(): void {
    for (let from = 0; from < this.#fresh.length;) {
      if (this.#current.ids.length === RUN) {
        this.#current = { from: this.#current.from + RUN, ids: [], ats: [], authors: [] };
      }
      const some = this.#fresh.slice(from, from + RUN - this.#current.ids.length);
      from += some.length;
      this.#current = {
        from: this.#current.from,
        ids: this.#current.ids.concat(some.map(({ messageId }) => messageId)),
        ats: this.#current.ats.concat(some.map(({ at }) => at)),
        authors: this.#current.authors.concat(some.map(({ author }) => author.key)),
      };
      this.#runs.set(String((this.#current.from / RUN) % RUNS), this.#current);
    }
    if (this.#fresh.length > 0) this.#fresh = [];
  }

  /** Newest last. */
  get list(): readonly RecentMessage[] {
    this.#list ??= this.#read();
    return this.#list;
  }

  get lastId(): string | undefined {
    return this.#fresh.at(-1)?.messageId ?? this.#current.ids.at(-1);
  }

  #read(): readonly RecentMessage[] {
    const messages: RecentMessage[] = [];
    for (const { ids, ats, authors } of [...this.#runs.values()].sort((a, b) => a.from - b.from)) {
      ids.forEach((messageId, index) => {
        const [at, author] = [ats[index], authors[index]];
        if (at === undefined || author === undefined) return;
        // As `eventId` makes it: the same message has the same event.
        messages.push({ messageId, at, author, eventId: `message.posted ${this.#place} ${messageId}` });
      });
    }
    for (const { messageId, at, author, id } of this.#fresh) {
      messages.push({ messageId, at, author: author.key, eventId: id });
    }
    return messages;
  }
}
