import { DEFAULT_HEADER_PREFIX } from '../../platform/index.ts';
import { Bench } from './bench.ts';
import type { Check } from './check.ts';
import { generatedChecks } from './generated-checks.ts';
import { mediaChecks } from './media-checks.ts';
import { messageChecks } from './message-checks.ts';
import { notificationChecks } from './notification-checks.ts';
import { placeChecks } from './place-checks.ts';
import { roomChecks } from './room-checks.ts';
import { streamChecks } from './stream-checks.ts';

export interface ConformanceOptions {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly secret: string;
  readonly pathPrefix?: string;
  readonly videoPrefix?: string;
  readonly headerPrefix?: string;
  /** Only checks whose id contains this. */
  readonly only?: string;
  /** Whether the address has the sandbox's control API; asked for when absent. */
  readonly control?: boolean;
  /** For one answer, and for what comes later by itself. */
  readonly timeoutMs?: number;
  /** Told of each result as it is known. */
  readonly onResult?: (result: ConformanceResult) => void;
}

export interface ConformanceResult {
  readonly id: string;
  readonly operation: string;
  /** What the interface says. */
  readonly sentence: string;
  readonly outcome: 'pass' | 'fail' | 'skipped';
  /** What went against it, or why it was not looked at. */
  readonly detail?: string;
}

const TIMEOUT_MS = 15_000;

/** All checks, in the order of the operations within each group. */
export function conformanceChecks(): readonly Check[] {
  const explicit = [
    ...streamChecks,
    ...placeChecks,
    ...roomChecks,
    ...messageChecks,
    ...mediaChecks,
    ...notificationChecks,
  ];
  return [...generatedChecks(new Set(explicit.map((check) => check.id))), ...explicit];
}

/**
 * Holds the interface against an address, one check after the other; whatever a check makes it takes away again. Checks
 * that need members, streams or faults are skipped where there is no control API. Never rejects.
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly ConformanceResult[]> {
  const bench = new Bench({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    applicationId: options.applicationId,
    secret: options.secret,
    pathPrefix: options.pathPrefix ?? '/svc',
    videoPrefix: options.videoPrefix ?? '/video',
    headerPrefix: options.headerPrefix ?? DEFAULT_HEADER_PREFIX,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  });
  const control = options.control ?? (await hasControl(bench));
  const results: ConformanceResult[] = [];
  for (const check of conformanceChecks()) {
    if (options.only !== undefined && !check.id.includes(options.only)) continue;
    const result = await runOne(bench, check, control);
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

async function runOne(bench: Bench, check: Check, control: boolean): Promise<ConformanceResult> {
  const { id, operation, sentence } = check;
  if (check.control && !control)
    return { id, operation, sentence, outcome: 'skipped', detail: 'needs the control API of a sandbox' };
  try {
    await check.run(bench);
    return { id, operation, sentence, outcome: 'pass' };
  } catch (error) {
    return {
      id,
      operation,
      sentence,
      outcome: 'fail',
      detail: error instanceof Error ? error.message : String(error),
    };
  } finally {
    await bench.cleanUp();
  }
}

async function hasControl(bench: Bench): Promise<boolean> {
  try {
    return (await bench.get(`${bench.options.baseUrl}/__sandbox/clock`)).http === 200;
  } catch {
    return false; // nobody answers there: each check says so by itself
  }
}
