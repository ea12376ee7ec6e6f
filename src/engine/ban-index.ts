import type { MemberKey } from '../domain/member.ts';
import { skeleton } from '../text/index.ts';
import type { Ban } from './ports.ts';

/** Finds the ban of a member by key or by folded screen name; built again when the list of bans is another one. */
export class BanIndex {
  readonly #read: () => readonly Ban[];
  #list: readonly Ban[] = [];
  #size = 0;
  readonly #byKey = new Map<string, Ban>();

  constructor(read: () => readonly Ban[]) {
    this.#read = read;
  }

  get isEmpty(): boolean {
    return this.#read().length === 0;
  }

  find(bot: string, member: MemberKey, screenName: string, now: number): Ban | undefined {
    this.#refresh();
    if (this.#byKey.size === 0) return undefined;
    const valid = (ban: Ban | undefined): Ban | undefined => (ban && ban.until > now ? ban : undefined);
    const name = screenName === '' ? undefined : this.#byKey.get(`${bot} ~${skeleton(screenName)}`);
    return valid(this.#byKey.get(`${bot} ${member}`)) ?? valid(name);
  }

  #refresh(): void {
    const list = this.#read();
    if (list === this.#list && list.length === this.#size) return;
    this.#list = list;
    this.#size = list.length;
    this.#byKey.clear();
    const keep = (key: string, ban: Ban): void => {
      if ((this.#byKey.get(key)?.until ?? 0) < ban.until) this.#byKey.set(key, ban);
    };
    for (const ban of list) {
      keep(`${ban.bot} ${ban.member}`, ban);
      if (ban.screenName !== '') keep(`${ban.bot} ~${skeleton(ban.screenName)}`, ban);
    }
  }
}
