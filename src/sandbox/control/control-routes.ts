import { z } from 'zod';
import { decisions } from '../decisions.ts';
import { faultRule } from '../faults/rules.ts';
import type { Sandbox } from '../sandbox.ts';
import { verbInputs } from '../verb-inputs.ts';

/** One request of the control API; its JSON answer is what `run` returns. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/__sandbox`. */
  readonly path: string;
  readonly input: z.ZodType;
  readonly run: (sandbox: Sandbox, input: unknown) => object | Promise<object>;
}

const route = <S extends z.ZodType>(
  method: ControlRoute['method'],
  path: string,
  input: S,
  run: (sandbox: Sandbox, input: z.output<S>) => object | Promise<object>,
): ControlRoute => ({
  method,
  path,
  input,
  run: (sandbox, value) => run(sandbox, value as z.output<S>), // `controlAnswer` parsed it with this very schema
});

const nothing = z.object({});
const done = { status: 'ok' } as const;

export const controlRoutes: readonly ControlRoute[] = [
  route('POST', '/rooms', verbInputs.createRoom, (sandbox, input) => ({ room: sandbox.createRoom(input) })),
  route('POST', '/channels', verbInputs.createChannel, (sandbox, input) => ({
    channel: sandbox.createChannel(input),
  })),
  route('POST', '/members', verbInputs.join, (sandbox, input) => ({ member: sandbox.join(input) })),
  route('PATCH', '/members', verbInputs.setState, (sandbox, input) => ({ member: sandbox.setState(input) })),
  route('DELETE', '/members', verbInputs.leave, (sandbox, input) => {
    sandbox.leave(input);
    return done;
  }),
  route('POST', '/messages', verbInputs.say, (sandbox, input) => ({ message: sandbox.say(input) })),
  route('POST', '/streams', verbInputs.publish, (sandbox, input) => sandbox.publish(input)),
  route('DELETE', '/streams', verbInputs.end, (sandbox, input) => sandbox.end(input)),
  route('POST', '/playlists', verbInputs.makePlaylistReady, (sandbox, input) => {
    sandbox.makePlaylistReady(input);
    return done;
  }),
  route('POST', '/faults', faultRule, (sandbox, input) => ({ id: sandbox.failNext(input) })),
  route('GET', '/faults', nothing, (sandbox) => ({ faults: sandbox.faults() })),
  route('DELETE', '/faults', z.strictObject({ id: z.string().optional() }), (sandbox, { id }) => {
    sandbox.clearFaults(id);
    return done;
  }),
  route('GET', '/decisions', nothing, (sandbox) => ({ decisions, switches: sandbox.switches() })),
  route('POST', '/switches', z.record(z.string(), z.string()), (sandbox, chosen) => ({
    switches: sandbox.setSwitches(chosen),
  })),
  route('GET', '/clock', nothing, (sandbox) => ({ now: sandbox.clock.now(), mode: sandbox.clock.mode })),
  route('POST', '/clock', verbInputs.advance, async (sandbox, { advance }) => {
    await sandbox.advance(advance);
    return { now: sandbox.clock.now() };
  }),
  route('GET', '/requests', nothing, (sandbox) => ({ requests: sandbox.requests() })),
  route('GET', '/deliveries', nothing, (sandbox) => ({ deliveries: sandbox.deliveries() })),
  route('POST', '/reset', nothing, (sandbox) => {
    sandbox.reset();
    return done;
  }),
];
