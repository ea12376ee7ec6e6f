import type { Random } from '../../src/sandbox/random.ts';
import type { Transport, WireAnswer, WireRequest } from '../../src/platform/transport.ts';
import type { Life } from './life.ts';
import type { ModelPlatform } from './platform.ts';
import type { Timeline } from './timeline.ts';
import { between, pick } from './weather.ts';

/** After it was sent; what is left of GRACE is the time that a mark may take and the lag of reading back. */
const LATEST_LANDING_MS = 27_000;

const html = (status: number): WireAnswer => ({
  status,
  contentType: 'text/html',
  location: '',
  text: '<html><body>Bad Gateway</body></html>',
});
const json = (status: number, word: string): WireAnswer => ({
  status,
  contentType: 'application/json',
  location: '',
  text: JSON.stringify({ status: word }),
});

/** What may become of a request, and what its sender is told, if anything. `landed`: the platform has done it. */
interface Fate {
  readonly landed: 'never' | 'soon' | 'late';
  readonly told: 'its answer' | WireAnswer | 'refused' | 'reset' | 'nothing';
}

const FATES = {
  'connection refused': { landed: 'never', told: 'refused' },
  'connection reset': { landed: 'never', told: 'reset' },
  '503 capacity': { landed: 'never', told: json(503, 'capacity') },
  '504 rate-limited': { landed: 'never', told: json(504, 'rate-limited') },
  '504 time-exceeded': { landed: 'soon', told: json(504, 'time-exceeded') },
  '401 unauthorized': { landed: 'never', told: json(401, 'unauthorized') },
  '504 of a gateway': { landed: 'never', told: html(504) },
  '502 of a gateway, done': { landed: 'soon', told: html(502) },
  '200 with HTML, done': { landed: 'soon', told: html(200) },
  'answer reset, done': { landed: 'soon', told: 'reset' },
  'answer lost, done': { landed: 'soon', told: 'nothing' },
  'answer late': { landed: 'soon', told: 'its answer' },
  'request lost': { landed: 'never', told: 'nothing' },
  'done late': { landed: 'late', told: 'nothing' },
} as const satisfies Record<string, Fate>;

const RIGHT: Fate = { landed: 'soon', told: 'its answer' };

export type RequestFault = keyof typeof FATES;
const REQUEST_FAULTS = Object.keys(FATES) as RequestFault[]; // its keys are exactly these

/** Nothing is as common as an answer that takes its time. */
const faultOf = (random: Random): RequestFault =>
  random() < 0.3 ? 'answer late' : pick(random, REQUEST_FAULTS);

/** The wires between a daemon and the platform: what was sent lands, whatever becomes of the sender. */
export interface Network {
  transport(life: Life): Transport;
  /** The share of requests that go wrong from now on. */
  faults(share: number): void;
}

export function createNetwork(of: {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly platform: ModelPlatform;
  /** Told of each fault, and of a request that goes out and one that lands. */
  readonly note: (what: string, request: WireRequest, fault: RequestFault | undefined) => void;
}): Network {
  const { timeline, random, platform, note } = of;
  let share = 0;

  const land = (request: WireRequest, fault: RequestFault | undefined): WireAnswer => {
    note('lands', request, fault);
    return platform.land(request);
  };

  const send = (request: WireRequest, signal: AbortSignal): Promise<WireAnswer> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      const fault = random() < share ? faultOf(random) : undefined;
      note('is sent', request, fault);
      const outMs = between(random, 1, 60);
      const backMs = fault === 'answer late' ? between(random, 60, 9_000) : between(random, 1, 60);
      const { landed, told }: Fate = fault === undefined ? RIGHT : FATES[fault];
      if (landed !== 'never') {
        const lagMs = landed === 'soon' ? outMs : between(random, 1, LATEST_LANDING_MS);
        timeline.after(lagMs, () => {
          const answer = land(request, fault);
          if (told === 'its answer') timeline.after(backMs, () => resolve(answer));
        });
      }
      if (told === 'nothing' || told === 'its answer') return;
      timeline.after(outMs + backMs, () => {
        if (told === 'refused') reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
        else if (told === 'reset') reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
        else resolve(told);
      });
    });

  return {
    transport: (life) => ({
      send: (request, signal) =>
        life.cross(request.method === 'GET' ? 'look' : 'deed', () => send(request, signal)),
      close: () => Promise.resolve(),
    }),
    faults(next) {
      share = next;
    },
  };
}
