import { styleText } from 'node:util';

export type Colour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray' | 'bold';

/** Colours a text, or leaves it alone where nobody would see the colour (a pipe, `NO_COLOR`). */
export type Paint = (colour: Colour, text: string) => string;

/** For standard output: coloured on a terminal or with `FORCE_COLOR`, never with `NO_COLOR`. */
export function paintFor(
  stream: { readonly isTTY?: boolean },
  environment: NodeJS.ProcessEnv = process.env,
): Paint {
  const forced = environment['FORCE_COLOR'] !== undefined && environment['FORCE_COLOR'] !== '0';
  const on = environment['NO_COLOR'] ? false : forced || stream.isTTY === true;
  return on ? (colour, text) => styleText(colour, text, { validateStream: false }) : (_colour, text) => text;
}

/** Text from outside, made safe for a terminal: no control characters, no direction tricks, one line. */
export const plain = (text: string, most = 120): string => {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean;
};

/** Findings and failures for standard error, which quote files and answers: each on a line of its own. */
export const plainLines = (lines: readonly string[]): string =>
  lines.map((line) => `${plain(line, Infinity)}\n`).join('');
