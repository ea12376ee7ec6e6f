import { domainToUnicode } from 'node:url';
import { canonicalHost, hasKnownEnding, isDomain } from './host.ts';
import { undisguise } from './undisguise.ts';

/** A link in a text, however it was disguised. */
export interface Link {
  readonly start: number;
  readonly end: number;
  /** What stands there. */
  readonly text: string;
  /** The host that it leads to: lower case, punycode, without port, user and trailing dot. */
  readonly host: string;
  /** The same host as people read it. */
  readonly unicodeHost: string;
  /** It has a scheme, a `www.`, a port, a path, or a known top-level domain; otherwise it may be "end.Begin" or a mail address. */
  readonly certain: boolean;
}

/** Without one of these there is no link, and no need to look closer. */
const MAY_HAVE_LINK = /[.。．｡․﹒]|:\/\/|：|dot|punkt|point/i;
const HOST_UNIT = /[\p{L}\p{N}\p{M}._-]/u;
const HOST_EDGE = /[._-]/;
const AUTHORITY_END = /[\s/\\?#<>"`]/;
const LINK_END = /[\s<>"`]/;
/** Punctuation that ends the sentence, not the link. */
const SENTENCE = /[.,;:!?'")\]}*~…»”’]/u;
const SCHEME = /(?:h(?:tt|xx)ps?|ftps?|wss?)$/i;
const LONGEST_SCHEME = 5;

/**
 * Every link of a text: with or without a scheme, in punycode or in letters of any script, behind a user name
 * (`https://bank.example@evil.example`), with a port, full-width, or written `hxxp` and `[.]`. One pass over the text.
 */
export const findLinks = (original: string): Link[] => {
  const links: Link[] = [];
  if (!MAY_HAVE_LINK.test(original)) return links;
  const { text, starts, ends } = undisguise(original);
  const add = (from: number, to: number, host: string, certain: boolean): void => {
    const start = starts[from] ?? 0;
    const end = ends[to - 1] ?? start;
    links.push({
      start,
      end,
      text: original.slice(start, end),
      host,
      unicodeHost: domainToUnicode(host),
      certain,
    });
  };
  const endOf = (from: number, stop: RegExp): number => {
    let end = from;
    while (end < text.length && !stop.test(text[end] ?? '')) end += 1;
    return end;
  };
  const trimmed = (from: number, to: number, edge: RegExp): number => {
    let end = to;
    while (end > from && edge.test(text[end - 1] ?? '')) end -= 1;
    return end;
  };

  /** Where the link that holds `from` ends; kept, because a link can hold many others. */
  let linkEnd = 0;
  const linkEndFrom = (from: number): number => {
    if (from >= linkEnd) linkEnd = Math.max(from, trimmed(from, endOf(from, LINK_END), SENTENCE));
    return linkEnd;
  };

  /** A link whose `://` stands at `colon`; answers where its path begins, which can hold further links. */
  const readUrl = (colon: number): number => {
    const from = colon + 3;
    const scheme = SCHEME.exec(text.slice(Math.max(0, colon - LONGEST_SCHEME), colon))?.[0] ?? '';
    const authorityEnd = endOf(from, AUTHORITY_END);
    const hostEnd = trimmed(from, authorityEnd, SENTENCE);
    const authority = text.slice(from, hostEnd);
    const host = canonicalHost(authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, ''));
    if (host === '') return from;
    const end = hostEnd < authorityEnd ? hostEnd : linkEndFrom(authorityEnd);
    add(colon - scheme.length, end, host, true);
    return authorityEnd;
  };

  /** A host without a scheme between two positions; answers where to read on. */
  const readBare = (from: number, to: number, mail: boolean): number => {
    const hostEnd = trimmed(from, to, HOST_EDGE);
    const host = canonicalHost(text.slice(from, hostEnd));
    if (!isDomain(host)) return to;
    const port = hostEnd === to ? (/^:\d{1,5}/.exec(text.slice(to, to + 6))?.[0].length ?? 0) : 0;
    const afterPort = hostEnd + port;
    const path = hostEnd === to && /[/\\]/.test(text[afterPort] ?? '');
    const sure = path || port > 0 || host.startsWith('www.') || (hasKnownEnding(host) && !mail);
    add(from, path ? linkEndFrom(afterPort) : afterPort, host, sure);
    return Math.max(to, afterPort);
  };

  for (let i = 0; i < text.length;) {
    if (text.startsWith('://', i)) {
      i = readUrl(i);
      continue;
    }
    const from = i;
    if (i < linkEnd || !HOST_UNIT.test(text[i] ?? '') || HOST_EDGE.test(text[i] ?? '')) {
      i += 1;
      continue;
    }
    let dotted = false;
    for (; i < text.length && HOST_UNIT.test(text[i] ?? ''); i += 1) if (text[i] === '.') dotted = true;
    if (!dotted || text.startsWith('://', i)) continue;
    i = readBare(from, i, text[from - 1] === '@');
  }
  return links;
};
