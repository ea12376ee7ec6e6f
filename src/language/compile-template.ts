import { cutWithEllipsis } from './cut-with-ellipsis.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Findings } from './finding.ts';
import type { Gift } from './gift.ts';
import { GIFT_NAMES } from './gift.ts';
import type { Occasion } from './occasion.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import type { Placeholder } from './placeholders.ts';
import type { Spot } from './spot.ts';

export type Template = (occasion: Occasion) => string;

/** Who reads a text: the room (so it repeats nothing that the rules forbid) or the people who run it. */
export type Audience = 'room' | 'staff';

const BRACES = /\{\{([^{}]*)\}\}/g;

/**
 * Checks a text with placeholders and makes the function that fills it. What is fixed must fit into `mostBytes`; what
 * is filled in is cut to it. In a text for the room, people's words that hit a list of the bot are filled as `…`.
 */
export function compileTemplate(
  spot: Spot,
  text: string,
  use: {
    readonly audience: Audience;
    readonly gives: (gift: Gift) => boolean;
    readonly mostBytes: number;
    readonly offends: (text: string) => boolean;
    readonly findings: Findings;
  },
): Template {
  const parts: (string | Placeholder)[] = [];
  let end = 0;
  for (const found of text.matchAll(BRACES)) {
    parts.push(text.slice(end, found.index));
    end = found.index + found[0].length;
    const name = (found[1] ?? '').trim();
    const placeholder = PLACEHOLDERS.get(name);
    const wrong = problem(name, placeholder, use);
    if (wrong !== undefined) use.findings.error(spot, wrong);
    else if (placeholder !== undefined) parts.push(placeholder);
  }
  parts.push(text.slice(end));
  const fixed = parts.filter((part) => typeof part === 'string').join('');
  const bytes = Buffer.byteLength(fixed);
  if (/\{\{|\}\}/.test(fixed))
    use.findings.error(spot, 'a placeholder is written {{name}}: these braces do not pair');
  if (bytes > use.mostBytes)
    use.findings.error(
      spot,
      `the text has ${bytes} bytes before anything is filled in, the limit is ${use.mostBytes}`,
    );
  const fill = (placeholder: Placeholder, occasion: Occasion): string => {
    const value = placeholder.value(occasion);
    return use.audience === 'room' && placeholder.from === 'people' && use.offends(value) ? '…' : value;
  };
  return (occasion) =>
    cutWithEllipsis(
      parts.map((part) => (typeof part === 'string' ? part : fill(part, occasion))).join(''),
      use.mostBytes,
    );
}

function problem(
  name: string,
  placeholder: Placeholder | undefined,
  use: { readonly audience: Audience; readonly gives: (gift: Gift) => boolean },
): string | undefined {
  if (placeholder === undefined)
    return `unknown placeholder "{{${name}}}"${didYouMean(name, PLACEHOLDERS.keys())}`;
  if (use.audience === 'room' && placeholder.from === 'quote')
    return `"{{${name}}}" would repeat in public what was said: it is for "notify" and "log" only`;
  if (placeholder.needs !== undefined && !use.gives(placeholder.needs))
    return `"{{${name}}}" needs ${GIFT_NAMES[placeholder.needs]}, and there is none here`;
  return undefined;
}
