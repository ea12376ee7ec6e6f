import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UsherEvent } from '../domain/event.ts';
import type { Clock, Count, Intake, Log, OperatorState, Readiness } from '../engine/ports.ts';
import { ConfigurationError, describeError, InboxFullError, StoreError } from '../errors.ts';
import { createNotificationVerifier, type TimestampUnit } from '../platform/index.ts';
import { createAllowances, type Allowance } from './allowance.ts';
import { ANSWERS, answerRequest, type Answer } from './answer-request.ts';
import { decodeNotification, type NotificationEvent } from './decode-notification.ts';
import { createDeadline } from './deadline.ts';
import { headerValues } from './header-values.ts';
import type { KnowsAction } from './own-action.ts';
import { readBody } from './read-body.ts';
import { createTrouble } from './trouble.ts';

export interface WebhookReceiverSettings {
  readonly host: string;
  /** 0 for any free one; `start` tells which. */
  readonly port: number;
  /** The only path that answers anything but 404. */
  readonly path: string;
  /** What the platform signed, where a proxy rewrites the path. */
  readonly publicPath?: string | undefined;
  /** Several while a secret is rotated; none of them empty. */
  readonly secrets: readonly string[];
  readonly headerPrefix?: string | undefined;
  readonly maxAgeMs?: number | undefined;
  readonly maxAheadMs?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** Of all bodies together that are read or wait for their answer; past it a notification is answered 503. */
  readonly maxHeldBytes?: number | undefined;
  readonly maxConnections?: number | undefined;
  /** For the whole of a request to arrive. */
  readonly requestTimeoutMs?: number | undefined;
  /** For a notification to be written down; a slower disk makes it a 503, before the platform gives up by itself. */
  readonly acceptWithinMs?: number | undefined;
}

export interface WebhookReceiverParts {
  readonly intake: Intake;
  readonly operator: Pick<OperatorState, 'timestampUnit' | 'lockTimestampUnit'>;
  readonly clock: Clock;
  /** What the machine's clock shows, which a notification's age is told by; the clock's time when absent. */
  readonly wall?: (() => number) | undefined;
  readonly log: Log;
  /** `notification.answered {answer, reason}`, `notification.accepted {type, fate: new | duplicate}`. */
  readonly count: Count;
  readonly knowsAction?: KnowsAction | undefined;
  /** A verified notification told of this event, be it new or not. */
  readonly onNotified?: ((event: UsherEvent) => void) | undefined;
}

export interface WebhookReceiver {
  /** Resolves with the port when it listens; rejects when the address is taken. */
  start(): Promise<{ readonly port: number }>;
  /** Takes no new connections, answers what is under way, then resolves; what takes longer than `graceMs` is cut off. */
  stop(graceMs?: number): Promise<void>;
  /** Answers one request, for listeners of one's own: never throws, whatever arrives. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly readiness: Readiness;
}

const METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'POST', 'PUT']);
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HELD_BYTES = 32 * 1024 * 1024;
/** A connection on which nothing moves for so long is cut: its peer may have stopped to read our answers. */
const SILENT_CONNECTION_MS = 70_000;

/** Below what platforms wait for an answer; the sandbox waits 10 s. */
const ACCEPT_WITHIN_MS = 5_000;

/** For how long a refused notification is told: where none comes, none could show that it is over. */
const FAULT_TOLD_MS = 15_000;

type Verdict = Answer | { readonly answer: Answer; readonly reason: string };

/**
 * The public listener: verify, decode, journal, 200; rules run later. Plain `node:http`, because every answer here
 * depends on the raw request: its target, doubled headers, the bytes of its body. Whatever arrives, it never throws.
 * Throws `ConfigurationError` for a missing or empty secret.
 */
export function createWebhookReceiver(
  settings: WebhookReceiverSettings,
  parts: WebhookReceiverParts,
): WebhookReceiver {
  const { intake, operator, clock, log, count } = parts;
  const { path, publicPath = path, maxBodyBytes = 256 * 1024, acceptWithinMs = ACCEPT_WITHIN_MS } = settings;
  if (settings.secrets.length === 0 || settings.secrets.includes('')) {
    throw new ConfigurationError([
      'webhooks.secrets: a secret is missing or empty, so anybody could sign notifications. Set the secret that the platform gave you.',
    ]);
  }
  const verifierOf = (unit: TimestampUnit | 'auto') =>
    createNotificationVerifier({
      secrets: settings.secrets,
      unit,
      ...(settings.maxAgeMs === undefined ? {} : { maxAgeMs: settings.maxAgeMs }),
      ...(settings.maxAheadMs === undefined ? {} : { maxAheadMs: settings.maxAheadMs }),
      ...(settings.headerPrefix === undefined ? {} : { headerPrefix: settings.headerPrefix }),
    });
  let unit = operator.timestampUnit();
  let verify = verifierOf(unit ?? 'auto');
  let listening = false;
  /** Why a notification was not written down, and when that was (monotonic). */
  let fault: { readonly reason: string; readonly at: number } | undefined;

  const shedding = createTrouble({
    clock,
    log,
    begins:
      'Notifications are answered 503, so that the platform sends them again: they cannot be written down now.',
    over: 'Notifications are taken again.',
  });
  const otherClock = createTrouble({
    clock,
    log,
    begins:
      "Notifications with a good signature are refused: their time differs too much from this machine's clock. Compare the clocks; webhooks.maxAge says how much is allowed.",
    over: 'No more notifications are refused for their time.',
  });

  /** The work goes on all the same: what is written down later is a duplicate when the platform sends it again. */
  const inTime = createDeadline(
    clock,
    acceptWithinMs,
    () => new StoreError(`Writing takes longer than ${acceptWithinMs} ms: the disk is slow or stuck.`),
  );

  const lockUnit = async (seen: TimestampUnit) => {
    unit = seen;
    verify = verifierOf(seen);
    try {
      await operator.lockTimestampUnit(seen);
    } catch (error) {
      log.warn(
        { error: describeError(error) },
        'The unit of the timestamps was not saved; it holds until a restart.',
      );
    }
  };

  const accept = async (event: NotificationEvent): Promise<Verdict> => {
    try {
      const [fate = 'duplicate'] = await inTime(intake.accept([event]));
      fault = undefined;
      count('notification.accepted', { type: event.type, fate });
    } catch (error) {
      fault = { reason: describeError(error), at: clock.monotonic() };
      if (error instanceof StoreError || error instanceof InboxFullError) {
        shedding.happened({ reason: fault.reason });
        return { answer: 'unavailable', reason: error.code };
      }
      log.error({ error: fault.reason, event: event.id }, 'A notification could not be accepted.');
      return { answer: 'failed', reason: 'bug' };
    }
    if (event.type === 'notification.unrecognized') {
      log.warn(
        { what: event.what, reason: event.reason },
        'A verified notification was kept aside: it is not known.',
      );
      return 'accepted';
    }
    parts.onNotified?.(event);
    return 'accepted';
  };

  const receive = async (request: IncomingMessage, allowance: Allowance): Promise<Verdict> => {
    const target = originForm(request.url ?? '');
    const query = target.indexOf('?');
    const asked = query < 0 ? target : target.slice(0, query);
    if (asked !== path) return 'not-found';
    if (!METHODS.has(request.method)) return 'method-not-allowed';
    const headers = headerValues(request.rawHeaders);
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      return { answer: 'unsupported-media-type', reason: 'content-encoding' };
    }
    const body = await readBody(request, {
      declared: Number(headers['content-length'] ?? 0),
      maxBytes: maxBodyBytes,
      allowance,
    });
    if (body === 'too-large') return 'too-large';
    if (body === 'no-room') {
      shedding.happened({ reason: 'The bodies of other notifications take all the room.' });
      return { answer: 'unavailable', reason: 'no-room' };
    }
    if (body === 'broken') return { answer: 'unauthorized', reason: 'broken-off' };

    const now = clock.now();
    const checked = verify({
      method: request.method ?? '',
      target: query < 0 ? publicPath : publicPath + target.slice(query),
      headers,
      body,
      nowMs: parts.wall?.() ?? now,
    });
    if (!checked.ok) {
      const aboutType = checked.reason === 'content-type' || checked.header === 'content-type';
      const answer = aboutType ? 'unsupported-media-type' : 'unauthorized';
      if (checked.reason === 'too-old' || checked.reason === 'too-far-ahead') {
        otherClock.happened({ reason: checked.reason });
      }
      return { answer, reason: checked.reason };
    }
    if (unit === undefined) void lockUnit(checked.unit);
    const text = withoutMark(body.toString('utf8'));
    const parsed = parseJson(text);
    if (parsed === undefined) return 'not-json';
    return accept(decodeNotification({ text, json: parsed.json, now, knows: parts.knowsAction }));
  };

  const allowances = createAllowances(settings.maxHeldBytes ?? MAX_HELD_BYTES);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const allowance = allowances();
    let verdict: Verdict;
    try {
      verdict = await receive(request, allowance);
    } catch (error) {
      log.error({ error: describeError(error) }, 'The webhook receiver failed on a request.');
      verdict = { answer: 'failed', reason: 'bug' };
    }
    allowance.release();
    const { answer, reason } = typeof verdict === 'string' ? { answer: verdict, reason: verdict } : verdict;
    count('notification.answered', { answer: String(ANSWERS[answer]), reason });
    // Once no more are taken, a connection that stays open would hold the stop up.
    if (!listening) response.shouldKeepAlive = false;
    answerRequest(response, answer);
  };

  const requestTimeout = settings.requestTimeoutMs ?? 10_000;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout,
      headersTimeout: Math.min(5_000, requestTimeout),
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = settings.maxConnections ?? 1_024;
  server.timeout = SILENT_CONNECTION_MS;
  // Where all places are taken, those who only keep theirs warm make room for whoever comes next.
  server.on('drop', () => server.closeIdleConnections());

  return {
    handle: (request, response) => void handle(request, response),

    readiness: {
      name: 'webhooks',
      reason: () =>
        !listening
          ? 'The webhook listener is not open.'
          : fault && clock.monotonic() - fault.at < FAULT_TOLD_MS
            ? `Notifications cannot be written down: ${fault.reason}`
            : undefined,
    },

    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(settings.port, settings.host, () => {
          server.removeListener('error', reject);
          server.on('error', (error) =>
            log.error({ error: describeError(error) }, 'The webhook listener failed.'),
          );
          listening = true;
          // A TCP listener's address is never a string or null.
          resolve({ port: (server.address() as AddressInfo).port });
        });
      }),

    stop: (graceMs = 5_000) =>
      new Promise((resolve) => {
        if (!listening) return resolve();
        listening = false;
        const cancel = clock.after(graceMs, () => server.closeAllConnections());
        server.close(() => {
          cancel();
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** A proxy may send `http://host/path`: what was signed begins at the path. Cut by hand, since `URL` rewrites queries. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const match = /^https?:\/\/[^/?#]+(?=\/)/i.exec(target);
  return match ? target.slice(match[0].length) : target;
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const parseJson = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
};
