import type { Link } from './find-links.ts';
import type { Hit } from './hit.ts';
import { canonicalHost } from './host.ts';

/** A list of domains: each stands for itself and everything under it. */
export interface DomainList {
  hits(links: readonly Link[]): Hit[];
}

/** The host of a list's line, which may be written as a link or with a wildcard in front. */
const hostOfTerm = (domain: string): string =>
  canonicalHost(
    domain
      .trim()
      .replace(/^[a-z]+:\/\//i, '')
      .replace(/^\*?\./, '')
      .replace(/[/:?#].*$/, ''),
  );

/** Compiles a list of domains; `unusable` hears of each term that is none. An allowed domain spares its own links only. */
export const compileDomains = (
  terms: readonly string[],
  allow: readonly string[],
  unusable: (term: string) => void,
): DomainList => {
  const table = (domains: readonly string[]): Map<string, string> => {
    const byHost = new Map<string, string>();
    for (const domain of domains) {
      const host = hostOfTerm(domain);
      if (host === '') unusable(domain);
      else byHost.set(host, domain);
    }
    return byHost;
  };
  const listed = table(terms);
  const allowed = table(allow);
  /** The longest domain of a table that a host is, or is under. */
  const lookUp = (hosts: ReadonlyMap<string, string>, host: string): string | undefined => {
    for (let at = 0; at >= 0; at = host.indexOf('.', at) + 1 || -1) {
      const domain = hosts.get(host.slice(at));
      if (domain !== undefined) return domain;
    }
    return undefined;
  };
  return {
    hits: (links) =>
      links.flatMap(({ host, start, end, text }) => {
        const term = lookUp(listed, host);
        if (term === undefined) return [];
        const spared = lookUp(allowed, host);
        if (spared !== undefined && hostOfTerm(spared).length >= hostOfTerm(term).length) return [];
        return [{ term, start, end, text }];
      }),
  };
};
