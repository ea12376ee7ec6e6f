import { domainToASCII } from 'node:url';

/** No name on the internet is longer, in any writing of it. */
const LONGEST_HOST = 1012;

/** Endings that make a bare "name.ending" a link beyond doubt, besides the countries' two letters. */
const KNOWN_ENDINGS: ReadonlySet<string> = new Set(
  (
    'com net org info biz edu gov mil int name pro mobi app dev page web site online shop store club live stream ' +
    'xyz top icu vip win bid loan click link work tech cloud blog news chat gift gifts casino bet porn xxx sex sexy ' +
    'adult dating social video zip mov fun life world today space website buzz rest cyou sbs monster lol quest'
  ).split(' '),
);

const endingOf = (host: string): string => host.slice(host.lastIndexOf('.') + 1);

/** The one way to write a host: lower case, punycode, no trailing dot; empty when it is none. */
export const canonicalHost = (host: string): string => {
  if (host.length > LONGEST_HOST) return '';
  const ascii = domainToASCII(host).replace(/\.$/, '');
  return /^(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])$/.test(ascii) ? ascii : '';
};

/** Whether a host has the shape of a public domain name: labels, and an ending of letters. */
export const isDomain = (host: string): boolean => /^(?:[^.]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(host);

/** Whether people would take a bare host for a link. */
export const hasKnownEnding = (host: string): boolean => {
  const ending = endingOf(host);
  return ending.length === 2 || ending.startsWith('xn--') || KNOWN_ENDINGS.has(ending);
};
