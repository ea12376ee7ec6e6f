import type { WireAnswer, WireRequest } from '../../src/platform/transport.ts';
import { SandboxClock } from '../../src/sandbox/clock.ts';
import { switchSettings } from '../../src/sandbox/decisions.ts';
import { FaultPlan } from '../../src/sandbox/faults/fault-plan.ts';
import { answerRequest } from '../../src/sandbox/http/answer.ts';
import { RequestLog, type RequestRecord } from '../../src/sandbox/http/request-log.ts';
import { createRouter } from '../../src/sandbox/http/router.ts';
import { Ids } from '../../src/sandbox/ids.ts';
import type { CallbackTarget, Platform } from '../../src/sandbox/platform-state.ts';
import type { Random } from '../../src/sandbox/random.ts';
import { createVerbs, type Verbs } from '../../src/sandbox/verbs.ts';
import { emptyWorld, type Notice, type World } from '../../src/sandbox/world/world.ts';
import { BEGINNING } from './life.ts';
import type { Timeline } from './timeline.ts';
import { pick } from './weather.ts';

export const APPLICATION_ID = 'demo';
export const SECRET = 'sandbox-secret';

/** The sandbox itself, in this process and on the timeline: what it is asked it does at once. */
export interface ModelPlatform {
  readonly world: World;
  readonly verbs: Verbs;
  /** Where notifications go, as registered. */
  readonly callback: () => Platform['callback'];
  /** Does what a request asks for, now. */
  land(request: WireRequest): WireAnswer;
}

export function createModelPlatform(of: {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly notify: (notice: Notice) => void;
  readonly observe: (record: RequestRecord) => void;
  /** What an earlier daemon registered: from the first moment on the platform knows where to. */
  readonly callback: CallbackTarget;
}): ModelPlatform {
  const clock = new TimelineClock(of.timeline);
  const world = emptyWorld({
    applicationId: APPLICATION_ID,
    secret: SECRET,
    clock,
    ids: new Ids(clock, of.random),
    switches: switchSettings({ 'ended-twice': pick(of.random, ['yes', 'no']) }),
    playlistDelayMs: 2_000,
    videoBase: () => 'http://127.0.0.1:8090/video',
    notify: of.notify,
  });
  const platform: Platform = { world, callback: of.callback };
  const on = {
    platform,
    // What goes wrong goes wrong on the way: the platform itself is right.
    faults: new FaultPlan(of.random, () => clock.now()),
    log: new RequestLog(1),
    route: createRouter({ svc: '/svc', video: '/video' }),
    observe: of.observe,
  };
  return {
    world,
    verbs: createVerbs(world),
    callback: () => platform.callback,
    land(request) {
      const { method, target, headers, body, emptyBody } = request;
      const mark = target.indexOf('?');
      const answer = answerRequest(on, {
        method,
        path: mark < 0 ? target : target.slice(0, mark),
        search: mark < 0 ? '' : target.slice(mark + 1),
        authorization: headers['authorization'],
        contentLength: emptyBody ? '0' : undefined,
        body: body ?? '',
      });
      if (answer instanceof Promise || answer.kind !== 'reply')
        throw new Error('A sandbox without fault rules answers at once.');
      const { http, contentType, body: text, headers: given } = answer.reply;
      return { status: http, contentType, text, location: given?.['location'] ?? '' };
    },
  };
}

/** The sandbox's clock, told by the timeline. */
class TimelineClock extends SandboxClock {
  readonly #timeline: Timeline;

  constructor(timeline: Timeline) {
    super('virtual', BEGINNING);
    this.#timeline = timeline;
  }

  override now(): number {
    return BEGINNING + Math.floor(this.#timeline.now());
  }

  override after(ms: number, run: () => void): () => void {
    return this.#timeline.after(ms, run);
  }
}
