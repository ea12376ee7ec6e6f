import type { Bot } from '../plugin/bot.ts';
import type { Configuration } from './configuration.ts';

/** Shorter ones are no secrets, and would be found inside of innocent words. */
const LEAST_CHARACTERS = 4;

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
