import { runConformance, type ConformanceResult } from '../sandbox/conformance/run-conformance.ts';
import { paintFor, plain, type Colour } from './paint.ts';

export interface ConformanceCommand {
  readonly baseUrl: string;
  readonly applicationId: string;
  /** `USHER_SECRET`, else the sandbox's, where absent. */
  readonly secret?: string;
  readonly only?: string;
  readonly json: boolean;
}

const COLOURS: Readonly<Record<ConformanceResult['outcome'], Colour>> = {
  pass: 'green',
  fail: 'red',
  skipped: 'yellow',
};

/** Holds the interface's suite against an address, a line a check; 1 when one fails, or none could be made. */
export async function conformance({
  baseUrl,
  applicationId,
  secret,
  only,
  json,
}: ConformanceCommand): Promise<number> {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    process.stderr.write(`--base-url ${baseUrl} is no http or https address, like https://api.example.com\n`);
    return 1;
  }
  const paint = paintFor(process.stdout);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const results = await runConformance({
    baseUrl,
    applicationId,
    secret: secret ?? process.env['USHER_SECRET'] ?? 'sandbox-secret',
    ...(only !== undefined && { only }),
    onResult: (result) => {
      if (json) return say(JSON.stringify(result));
      const detail = result.detail === undefined ? '' : paint('gray', ` (${plain(result.detail, 200)})`);
      say(
        `${paint(COLOURS[result.outcome], result.outcome.padEnd(7))}  ${result.id.padEnd(44)}  ${result.sentence}${detail}`,
      );
    },
  });
  const of = (outcome: ConformanceResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  if (!json) say(`${of('pass')} passed, ${of('fail')} failed, ${of('skipped')} skipped`);
  return of('fail') > 0 || of('pass') === 0 ? 1 : 0;
}
