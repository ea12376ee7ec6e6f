import type { Dispatcher } from 'undici';
import { errors, request } from 'undici';
import type { Action } from '../../domain/action.ts';
import { FRESH_FOR_MS, type Deed } from '../deed.ts';
import { done, failed, type Fate } from '../fate.ts';
import { RefusedAddressError } from '../notice-dispatcher.ts';

/** The webhook of a bot's `notify` target; a secret, since such addresses often carry a key. */
export type WebhookOf = (bot: string, target: string) => string | undefined;

/**
 * Posts to people outside. The receiver can tell a repeat by `id`, which is also the `Idempotency-Key`, so it is sent
 * at least once. A redirect is not followed: it could lead a secret elsewhere.
 */
export const sendNotice = (
  action: Action<'notify.send'>,
  { webhookOf, notices }: { readonly webhookOf: WebhookOf; readonly notices: Dispatcher },
): Deed => ({
  repeatable: true,
  about: 'notice',
  freshForMs: FRESH_FOR_MS.notice,
  asksPlatform: false,
  async call({ signal, deadlineMs }) {
    const { id, bot, rule, target, text, place, decidedAt } = action;
    const webhook = webhookOf(bot, target);
    if (webhook === undefined) return failed(`Bot ${bot} has no notify target "${target}" (any more).`);
    const url = webUrl(webhook);
    if (!url) return failed(`The webhook of notify target "${target}" is no http or https address.`);
    if (url.username !== '' || url.password !== '')
      return failed(`The webhook of notify target "${target}" holds a user name or password: none is sent.`);
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body: JSON.stringify({ id, bot, rule, text, at: new Date(decidedAt).toISOString(), place }),
        signal,
        headersTimeout: deadlineMs,
        bodyTimeout: deadlineMs,
        dispatcher: notices,
      });
      // The status is the answer: a body that does not end, or breaks off, takes nothing of it back.
      await body
        .dump({ limit: MOST_BODY_BYTES, signal: AbortSignal.timeout(DUMP_MS) })
        .catch(() => body.destroy());
      return fateOf(statusCode, target);
    } catch (error) {
      if (error instanceof RefusedAddressError)
        return failed(`The webhook of notify target "${target}" is not called: ${error.message}.`);
      return { kind: 'doubt', reason: `The webhook of "${target}" gave no answer (${faultOf(error)}).` };
    }
  },
});

const MOST_BODY_BYTES = 64 * 1024;
/** What a body may take to end, so that its connection ends well; nobody reads it. */
const DUMP_MS = 1_000;

function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function fateOf(status: number, target: string): Fate {
  if (status >= 200 && status < 300) return done(`told ${target}`);
  const answered = `The webhook of "${target}" answered ${status}.`;
  if (status >= 500 || status === 408 || status === 425 || status === 429)
    return { kind: 'again', reason: answered, limited: false };
  return failed(status >= 300 && status < 400 ? `${answered} Redirects are not followed.` : answered);
}

/** The message of such an error can name the address; its code does not. */
const faultOf = (error: unknown): string =>
  error instanceof errors.UndiciError || (error instanceof Error && 'code' in error)
    ? String(error.code)
    : 'aborted';
