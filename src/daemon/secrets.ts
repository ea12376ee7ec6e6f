import type { Bot } from '../plugin/bot.ts';
import type { Configuration } from './configuration.ts';

/** Shorter ones are no secrets, and would be found inside of innocent words. */
const LEAST_CHARACTERS = 4;
/** Many a variable is a word or a port. */
const LEAST_OF_VARIABLE = 8;

/** What the environment holds for `${…}`, as far as it is long enough to be one. */
export const secretsIn = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(environment).flatMap(([name, value = '']) =>
    name.startsWith('USHER_') && value.length >= LEAST_OF_VARIABLE ? [value] : [],
  );

/** What must never be shown, of a configuration. */
export const secretsOf = ({
  platform,
  webhooks,
  console,
}: Pick<Configuration, 'platform' | 'webhooks' | 'console'>): readonly string[] =>
  [
    platform.secret,
    Buffer.from(`${platform.applicationId}:${platform.secret}`).toString('base64'),
    console.token,
    ...webhooks.secrets,
  ].filter(({ length }) => length >= LEAST_CHARACTERS);

/** The webhooks that bots notify: whoever has such an address may write there. */
export const addressesOf = (bots: readonly Pick<Bot, 'notify'>[]): readonly string[] =>
  bots.flatMap(({ notify }) => [...notify.values()].map(({ webhook }) => webhook));
