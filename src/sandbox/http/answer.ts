import type { Operation, OperationName } from '../../platform/index.ts';
import { operations } from '../../platform/index.ts';
import { faultyAnswer } from '../faults/faulty-answer.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { RequestFault } from '../faults/rules.ts';
import { handlers } from '../operations/handlers.ts';
import type { Platform } from '../platform-state.ts';
import { authenticate, takesBasicToo } from './authenticate.ts';
import { checkShape } from './check-shape.ts';
import type { JsonBody } from './json-body.ts';
import { jsonBody } from './json-body.ts';
import type { Reply } from './reply.ts';
import { marked, refuse, text } from './reply.ts';
import type { RequestLog, RequestRecord } from './request-log.ts';
import type { Route } from './router.ts';
import type { WireAnswer, WireRequest } from './server.ts';

/** What an answer is made from. */
export interface Answering {
  readonly platform: Platform;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly route: (method: string, path: string) => Route;
  readonly observe: (record: RequestRecord) => void;
}

/** Route, then faults, then credentials 401, JSON and shape 400, `reason` 401, existence 404; all of it logged. */
export function answerRequest(on: Answering, request: WireRequest): WireAnswer | Promise<WireAnswer> {
  const route = on.route(request.method, request.path);
  const at = on.platform.world.clock.now();
  const note = (
    name: string,
    number: number,
    body: JsonBody,
    answer: WireAnswer,
    fault?: RequestFault & { id: string },
  ): void => {
    const reply = 'reply' in answer ? answer.reply : undefined;
    const record: RequestRecord = {
      operation: name,
      number,
      method: request.method,
      path: request.search === '' ? request.path : `${request.path}?${request.search}`,
      body: body.kind === 'object' ? body.value : body.kind === 'bad' ? request.body : null,
      contentLength: request.contentLength,
      status: reply?.http ?? 0,
      word: reply?.status ?? '',
      fault: fault?.id,
      at,
    };
    on.log.add(record);
    on.observe(record);
  };
  if (route.to !== 'operation') {
    const answer: WireAnswer = { kind: 'reply', reply: nowhere(route, request) };
    note('unknown', 0, jsonBody(request.body), answer);
    return answer;
  }
  const { name, params } = route;
  const { number } = operations[name];
  const body = jsonBody(request.body);
  const fault = on.faults.forRequest(name, number);
  const answer =
    fault === undefined
      ? ({ kind: 'reply', reply: perform(on.platform, name, params, request, body) } as const)
      : faulty(on.platform, name, params, request, body, fault);
  note(name, number, body, answer, fault);
  if (fault?.delay === undefined) return answer;
  const { clock } = on.platform.world;
  return new Promise((resolve) => clock.after(fault.delay ?? 0, () => resolve(answer)));
}

function perform(
  platform: Platform,
  name: OperationName,
  params: Readonly<Record<string, string>>,
  request: WireRequest,
  body: JsonBody,
): Reply {
  const operation: Operation = operations[name];
  const { world } = platform;
  const refused = authenticate(operation, world, request.authorization, body);
  if (refused !== undefined) return refused;
  if (operation.emptyBody && request.contentLength !== '0' && world.switches['empty-delete'] === 'strict')
    return refuse(411, 'length-required', { hint: 'Send Content-Length: 0.' }, 'empty-delete');
  const checked = checkShape(operation, params, request.search, body);
  if ('refused' in checked) return checked.refused;
  // `checkShape` read the call by this operation's own schemas, which is what the handler's type is inferred from
  const handler = handlers[name] as (platform: Platform, call: unknown) => Reply;
  const reply = handler(platform, checked.call);
  return takesBasicToo(operation) && request.authorization !== undefined
    ? marked(reply, 'basic-for-streams')
    : reply;
}

function faulty(
  platform: Platform,
  name: OperationName,
  params: Readonly<Record<string, string>>,
  request: WireRequest,
  body: JsonBody,
  fault: RequestFault,
): WireAnswer {
  const instead = faultyAnswer(operations[name], fault);
  const cuts = fault.reset === true || fault.hang === true;
  const takesEffect = fault.commit === true || (instead === undefined && !cuts);
  const right = takesEffect ? perform(platform, name, params, request, body) : undefined;
  if (fault.hang === true) return { kind: 'hang' };
  if (fault.reset === true) return { kind: 'reset' };
  const reply = instead ?? right ?? text(500, '');
  return { kind: fault.truncate === true ? 'truncated' : 'reply', reply };
}

function nowhere(route: Exclude<Route, { to: 'operation' }>, request: WireRequest): Reply {
  if (route.to === 'media')
    return text(404, 'The sandbox has playlists, and no media behind them.', 'text/plain', 'no-media');
  if (route.to === 'malformed') {
    const evidence = route.rawHash ? (['raw-hash'] as const) : [];
    return refuse(400, 'bad-request', { hint: route.hint }, ...evidence);
  }
  const hint = `No operation of the interface is ${request.method} ${request.path}.`;
  return refuse(501, 'unknown-operation', { hint }, 'unknown-operation');
}
