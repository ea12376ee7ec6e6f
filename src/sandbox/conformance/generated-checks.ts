import type { Operation, OperationName } from '../../platform/index.ts';
import { COMMON_STATUSES, OPERATION_NAMES, operations } from '../../platform/index.ts';
import type { Check } from './check.ts';
import { check, statusId } from './check.ts';
import { answers, hold, wordOf } from './judge.ts';

/** A body that breaks the shape of the operation; undefined where everything is optional and nothing is said. */
function misfit(name: OperationName): object | undefined {
  const operation: Operation = operations[name];
  if (operation.request === null) return undefined;
  if (!operation.request.safeParse({}).success) return {};
  if (!operation.request.safeParse({ options: 'force' }).success) return { options: 'force' };
  if (!operation.request.safeParse({ capabilities: 'wildcard' }).success) return { capabilities: 'wildcard' };
  return undefined;
}

const authentication = (name: OperationName): Check[] => {
  const operation: Operation = operations[name];
  const isManifest = operation.response.kind === 'manifest' || operation.response.kind === 'redirect';
  if (operation.authentication === 'streamToken' || isManifest) return [];
  return [
    check(
      name,
      '401.unauthorized',
      'A client authorization failure gives HTTP 401 with status unauthorized.',
      async (bench) => {
        const answer = await bench.call(name, { secret: 'not-the-secret', body: misfit(name) ?? {} });
        answers(answer, 401);
        hold(
          answer.json === undefined || wordOf(answer) === 'unauthorized',
          `the status is not "unauthorized": ${answer.text}`,
        );
      },
    ),
  ];
};

const shape = (name: OperationName): Check[] => {
  const body = misfit(name);
  const operation: Operation = operations[name];
  const misshapen =
    body === undefined
      ? []
      : [
          check(name, '400', 'A problem with the request gives HTTP 400.', async (bench) =>
            answers(await bench.call(name, { body }), 400),
          ),
        ];
  const malformed =
    operation.request === null || operation.authentication === 'body'
      ? []
      : [
          check(
            name,
            '400.malformed',
            'Requests carry JSON; a body that is none gives HTTP 400.',
            async (bench) => answers(await bench.call(name, { rawBody: '{"half":' }), 400),
          ),
        ];
  return [...misshapen, ...malformed];
};

/** Documented answers that nothing outside can cause: a sandbox is told to give them. */
const provoked = (name: OperationName, covered: ReadonlySet<string>): Check[] => {
  const operation: Operation = operations[name];
  return [...operation.statuses, ...COMMON_STATUSES]
    .flatMap(({ http, status, when }) =>
      (status.length === 0 ? [undefined] : status).map((word) => ({ http, word, when })),
    )
    .filter(
      ({ http, word }) => http !== 400 && http !== 401 && !covered.has(`${name}.${statusId(http, word)}`),
    )
    .map(({ http, word, when }) =>
      check(
        name,
        statusId(http, word),
        `It may answer HTTP ${http}${word === undefined ? '' : ` with status ${word}`}${when === undefined ? '' : `: ${when}`}.`,
        async (bench) => {
          await bench.fault({
            operation: name,
            status: http,
            ...(word === undefined ? {} : { body: { status: word } }),
          });
          answers(await bench.call(name), http, word);
        },
        { control: true },
      ),
    );
};

/** What follows from the operations table alone; `covered` are ids of checks that cause a documented answer for real. */
export const generatedChecks = (covered: ReadonlySet<string>): readonly Check[] =>
  OPERATION_NAMES.flatMap((name) => [...authentication(name), ...shape(name), ...provoked(name, covered)]);
