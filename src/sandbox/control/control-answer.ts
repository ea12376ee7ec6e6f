import type { z } from 'zod';
import { jsonBody } from '../http/json-body.ts';
import type { Reply } from '../http/reply.ts';
import type { WireAnswer, WireRequest } from '../http/server.ts';
import type { Sandbox } from '../sandbox.ts';
import { SandboxError } from '../sandbox-error.ts';
import { controlRoutes } from './control-routes.ts';

/** The control API: the verbs over HTTP, for tests and people outside of this process (design.md, "control API"). */
export async function controlAnswer(sandbox: Sandbox, request: WireRequest): Promise<WireAnswer> {
  const path = request.path.slice('/__sandbox'.length);
  const route = controlRoutes.find((one) => one.path === path && one.method === request.method);
  if (route === undefined) {
    const known = controlRoutes.map((one) => `${one.method} /__sandbox${one.path}`);
    return answer(404, {
      error: `There is no ${request.method} ${request.path}; there are: ${known.join(', ')}.`,
    });
  }
  const body = jsonBody(request.body);
  if (body.kind === 'bad') return answer(400, { error: 'The body is not a JSON object.' });
  const input = route.input.safeParse(body.kind === 'object' ? body.value : {});
  if (!input.success) return answer(400, { error: faultsOf(input.error) });
  try {
    return answer(200, await route.run(sandbox, input.data));
  } catch (error) {
    if (error instanceof SandboxError)
      return answer(error.code === 'unknown-id' ? 404 : error.code === 'taken' ? 409 : 400, {
        error: error.message,
      });
    if (error instanceof RangeError) return answer(400, { error: error.message });
    throw error;
  }
}

const faultsOf = (error: z.core.$ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ');

function answer(http: number, json: object): WireAnswer {
  const reply: Reply = { http, contentType: 'application/json', body: JSON.stringify(json), status: '' };
  return { kind: 'reply', reply };
}
