import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Paths that pino censors wherever they appear; values are redacted by the platform library before they get here. */
const SECRET_PATHS = [
  'secret',
  'token',
  'streamKey',
  'streamToken',
  'authorization',
  'Authorization',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export type Log = Logger;

/** JSON lines for machines, plain coloured lines on a terminal. Secrets are censored by name at every level. */
export function createLog(
  options: { readonly level?: string; readonly destination?: DestinationStream } = {},
): Log {
  const stream =
    options.destination ??
    (process.stdout.isTTY
      ? pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true })
      : pino.destination({ dest: 1, sync: true }));
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    },
    stream,
  );
}
