import { signNotification } from '../../src/platform/index.ts';
import type { Random } from '../../src/sandbox/random.ts';
import type { Notice } from '../../src/sandbox/world/world.ts';
import { BEGINNING } from './life.ts';
import { SECRET, type ModelPlatform } from './platform.ts';
import type { Timeline } from './timeline.ts';
import { between, pick } from './weather.ts';

/** One notification as it arrives at the receiver. */
export interface Parcel {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The HTTP status of the answer; undefined where nobody listens, or the listener died before it answered. */
export type Deliver = (parcel: Parcel) => Promise<number | undefined>;

/** What may become of a notification on its way. */
export const NOTICE_FAULTS = ['duplicated', 'delayed', 'lost'] as const;
export type NoticeFault = (typeof NOTICE_FAULTS)[number];

/** interface.md, "Events", rule 3. */
const FIRST_RETRY_MS = 3_000;
const MOST_RETRIES = 9;
const TIMEOUT_MS = 10_000;
const CONTENT_TYPE = 'application/json';

/** The platform's post office: signs, sends, retries on the documented schedule, and now and then errs. */
export interface Post {
  notify(notice: Notice): void;
  faults(share: number): void;
  /** Notifications on their way, or waiting for their next attempt. */
  readonly waiting: number;
}

export function createPost(of: {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly platform: () => ModelPlatform;
  readonly deliver: Deliver;
  readonly note: (what: string, notice: Notice, fault: NoticeFault | undefined) => void;
}): Post {
  const { timeline, random, deliver, note } = of;
  let share = 0;
  let waiting = 0;

  const attempt = (notice: Notice, body: string, retry: number): void => {
    const target = of.platform().callback();
    if (target === undefined) throw new Error('A notification before anybody told the platform where to.');
    const timestamp = String(BEGINNING + Math.floor(timeline.now()));
    const signed = { method: target.method, target: target.path, contentType: CONTENT_TYPE, timestamp, body };
    const headers = signNotification({ ...signed, secret: SECRET });
    let over = false;
    const end = (status: number | undefined): void => {
      if (over) return;
      over = true;
      note(status === undefined ? 'is not answered' : `is answered ${status}`, notice, undefined);
      if (status !== undefined && status < 500) waiting -= 1;
      else if (retry < MOST_RETRIES)
        timeline.after(FIRST_RETRY_MS * 2 ** retry, () => attempt(notice, body, retry + 1));
      else waiting -= 1;
    };
    timeline.after(TIMEOUT_MS, () => end(undefined));
    timeline.after(between(random, 0, 40), () => {
      void deliver({ ...signed, headers }).then(end);
    });
  };

  return {
    get waiting() {
      return waiting;
    },
    faults(next) {
      share = next;
    },
    notify(notice) {
      const fault = random() < share ? faultOf(notice) : undefined;
      note('is sent', notice, fault);
      if (fault === 'lost') return;
      const body = JSON.stringify({
        apiVersion: 0,
        entity: 'stream',
        what: notice.what,
        data: notice.data,
        sessionId: notice.sessionId,
        timestamp: new Date(BEGINNING + timeline.now()).toISOString(),
      });
      const copies = fault === 'duplicated' ? pick(random, [2, 3]) : 1;
      for (let copy = 0; copy < copies; copy += 1) {
        waiting += 1;
        const lateMs = fault === undefined ? 0 : between(random, 0, fault === 'delayed' ? 60_000 : 3_000);
        timeline.after(lateMs, () => attempt(notice, body, 0));
      }
    },
  };

  /** Only what a poll finds as well may be lost: a composition has no poll. Told after GRACE, it is one too many, and is ended. */
  function faultOf(notice: Notice): NoticeFault | undefined {
    const { tags = [] } = notice.data as { readonly tags?: readonly string[] }; // as the sandbox made it
    if (tags.some((tag) => tag.startsWith('op:'))) return pick(random, ['duplicated', 'delayed'] as const);
    return pick(random, NOTICE_FAULTS);
  }
}
