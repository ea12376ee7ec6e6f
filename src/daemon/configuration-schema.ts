import { z } from 'zod';
import { weaknessOf } from '../console/console-token.ts';
import { parseDuration } from '../domain/duration.ts';
import { isLoopback } from '../platform/loopback.ts';

/** `10s`, `30m`, …: ms. */
const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue(`"${text}" is no duration: write a number and ms, s, m, h or d, like 500ms or 30m`);
  return z.NEVER;
});

/** `20/s`, `600/m`: requests per second. */
const rate = z.string().transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)\/(s|m)$/.exec(text.trim());
  const perSecond = Number(match?.[1]) / (match?.[2] === 'm' ? 60 : 1);
  if (perSecond > 0) return perSecond;
  context.addIssue(`"${text}" is no rate: write a number per second or minute, like 20/s or 600/m`);
  return z.NEVER;
});

const httpUrl = z.string().refine((text) => /^https?:\/\/[^\s/]+/.test(text) && URL.canParse(text), {
  error: ({ input }) => `${JSON.stringify(input)} is no http or https address, like https://api.example.com`,
});

const SAMPLES = /^(change-?me|your-?(api-?)?secret(-?here)?|example|sample|<.*>|x{3,}|\*{3,})$/i;

/** A secret that somebody chose: empty and sample ones would let anybody sign. The value is never in a message. */
const secret = z
  // A number is a secret too, and a finding about its type would print it.
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())
  .refine((text) => text !== '', 'is empty: set the secret that the platform gave you')
  .refine((text) => !SAMPLES.test(text), 'is a sample value: set the secret that the platform gave you');

const port = z.int().min(0).max(65_535);
const path = z.string().regex(/^\/[^\s?#]*$/, 'must start with / and hold no query');
const folder = z.string().regex(/^\P{Cc}+$/u, 'must be a path, without control characters');
const every = (fallback: string) => z.strictObject({ every: duration.prefault(fallback) }).prefault({});
const between = (min: string, max: string) =>
  z
    .strictObject({ min: duration.prefault(min), max: duration.prefault(max) })
    .refine(({ min: low, max: high }) => low <= high, 'min is longer than max')
    .prefault({});

/** `config/usher.yaml`, whole (docs/configuration.md). Durations come out in ms, rates per second. */
export const configurationSchema = z.strictObject({
  platform: z.strictObject({
    baseUrl: httpUrl,
    applicationId: z.string().min(1),
    secret,
    pathPrefix: z
      .string()
      .regex(/^(\/[^\s?#]*)?$/)
      .default('/svc'),
    videoPrefix: z
      .string()
      .regex(/^(\/[^\s?#]*)?$/)
      .default('/video'),
    headerPrefix: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]*$/)
      .default('X-Service'),
    allowInsecure: z.boolean().default(false),
  }),
  webhooks: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: port.default(8081),
      path: path.default('/webhooks/platform'),
      /** What the platform is told; port 0 in it stands for the real one. */
      publicUrl: httpUrl.optional(),
      /** What the platform signed, where a proxy rewrites paths. */
      publicPath: path.optional(),
      register: z.boolean().default(true),
      /** Beside the platform's secret, for rotation. */
      secrets: z.array(secret).default([]),
      maxAge: duration.prefault('30m'),
    })
    .prefault({}),
  polling: z
    .strictObject({
      budget: rate.prefault('20/s'),
      rooms: every('15s'),
      channels: every('15s'),
      members: between('2s', '30s'),
      messages: between('1s', '15s'),
    })
    .prefault({}),
  egress: z
    .strictObject({
      deadline: duration.prefault('10s'),
      grace: duration.prefault('30s'),
      onDoubt: z.enum(['retry', 'give-up', 'ask']).default('retry'),
      /** Lets notices go to private addresses, also by plain HTTP. */
      allowPrivate: z.boolean().default(false),
    })
    .prefault({}),
  console: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: port.default(8082),
      token: secret,
      /** Further names under which it is reached. */
      hosts: z.array(z.string().min(1)).default([]),
    })
    .superRefine(({ host, token }, context) => {
      const weakness = isLoopback(host) ? undefined : weaknessOf(token);
      if (weakness !== undefined) context.addIssue({ code: 'custom', path: ['token'], message: weakness });
    }),
  watchdog: z
    .strictObject({
      warnAfter: duration.prefault('2s'),
      /** Ms; Infinity for `never`. */
      endAfter: z.union([z.literal('never').transform(() => Infinity), duration]).prefault('30s'),
    })
    .refine(({ warnAfter, endAfter }) => warnAfter > 0 && warnAfter < endAfter, {
      error: 'warnAfter must be above 0 and shorter than endAfter',
    })
    .prefault({}),
  /** What may wait for rules before notifications are answered 503. */
  inbox: z
    .strictObject({ events: z.int().min(200).default(50_000), megabytes: z.int().min(1).default(64) })
    .prefault({}),
  /** How old a message found at start may be and still be punished. */
  catchUp: duration.prefault('5m'),
  data: folder.default('./data'),
  bots: folder.default('../bots'),
  plugins: folder.default('../plugins'),
});

export type ConfigurationFile = z.infer<typeof configurationSchema>;
