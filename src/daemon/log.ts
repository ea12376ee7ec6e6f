import { Writable } from 'node:stream';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { redact, redactText } from '../platform/index.ts';
import { escapeControls, showEscapes } from './escape-controls.ts';
import { plainError } from './plain-error.ts';

export type Log = Logger;

/** A longer text is cut: what came from outside must not fill the disk that the journal needs. */
const MOST_CHARACTERS = 8_000;

/**
 * JSON lines for machines, plain coloured lines on a terminal. Whatever is logged, one entry is one line, without
 * commands to a terminal, without credentials, and without `secrets`, a list that may grow while the log is used.
 */
export function createLog(
  options: {
    readonly level?: string;
    readonly destination?: DestinationStream;
    readonly secrets?: readonly string[];
    /** Prints for people instead of machines; by default where standard output is a terminal. */
    readonly pretty?: boolean;
  } = {},
): Log {
  const { secrets = [], destination } = options;
  const safeText = (text: string): string => cut(redactText(text, secrets));
  // `redact` makes a copy of the same shape.
  const safe = (one: unknown): unknown => {
    if (typeof one === 'string') return safeText(one);
    if (one instanceof Error) return { err: bounded(redact(plainError(one), secrets)) };
    return typeof one === 'object' && one !== null ? bounded(redact(unpackErrors(one), secrets)) : one;
  };
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => error }, // unpacked before it gets there
      hooks: {
        logMethod(args, method) {
          method.apply(this, args.map(safe) as typeof args); // each of the kind that it was
        },
      },
    },
    linesTo(destination, options.pretty ?? (destination === undefined && process.stdout.isTTY)),
  );
}

function linesTo(destination: DestinationStream | undefined, forPeople: boolean): DestinationStream {
  if (forPeople) {
    const people = pretty({
      colorize: destination === undefined,
      ignore: 'pid,hostname',
      translateTime: 'SYS:HH:MM:ss',
      sync: true,
      ...(destination && { destination: asStream(destination) }),
    });
    return { write: (line) => void people.write(showEscapes(line)) };
  }
  const machines = destination ?? pino.destination({ dest: 1, sync: true });
  return { write: (line) => machines.write(escapeControls(line)) };
}

const asStream = (destination: DestinationStream): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      destination.write(String(chunk));
      done();
    },
  });

const unpackErrors = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Error ? plainError(value) : value,
    ]),
  );

const cut = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)` : text;

const bounded = (value: unknown): unknown => {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(bounded);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, bounded(part)]));
};
