import { Ring } from '../ring.ts';
import { isObject } from './json-body.ts';

/** One request as the sandbox saw it; credentials and tokens are cut out. */
export interface RequestRecord {
  /** A name of the operations table, or `unknown`. */
  readonly operation: string;
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** As the header said. */
  readonly contentLength: string | undefined;
  /** The HTTP status of the answer; 0 when the connection was cut or left hanging. */
  readonly status: number;
  /** The status word of the answer. */
  readonly word: string;
  /** What a fault rule did to it. */
  readonly fault: string | undefined;
  /** Milliseconds since 1970 on the sandbox's clock. */
  readonly at: number;
}

const SECRET = new Set(['secret', 'streamkey', 'streamtoken', 'authenticationtoken', 'authorization']);

/** The newest requests; redacted when read, for writing must cost little. */
export class RequestLog {
  readonly #ring: Ring<RequestRecord>;

  constructor(limit: number) {
    this.#ring = new Ring(limit);
  }

  add(record: RequestRecord): void {
    this.#ring.push(record);
  }

  all(): RequestRecord[] {
    return this.#ring.all().map((record) => ({
      ...record,
      path: record.path.replaceAll(/(streamToken=)[^&]*/g, '$1[redacted]'),
      body: redacted(record.body),
    }));
  }

  clear(): void {
    this.#ring.clear();
  }
}

function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET.has(key.toLowerCase()) ? '[redacted]' : redacted(inner),
    ]),
  );
}
