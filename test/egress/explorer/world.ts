import type { Action } from '../../../src/domain/action.ts';
import type { ActionHistory, KnownMessage } from '../../../src/egress/action-history.ts';
import { done, type Fate } from '../../../src/egress/fate.ts';
import type { PlatformPort } from '../../../src/egress/platform-port.ts';
import type { Ban, Clock } from '../../../src/engine/ports.ts';
import type { CallOptions, Message } from '../../../src/platform/index.ts';
import type { Life } from './life.ts';
import type { Parts } from './parts.ts';

/** How a request goes; `land` runs when, and if, it takes effect. */
export type Wire = <T>(life: Life, signal: AbortSignal | undefined, land: () => T) => Promise<T>;

/** How late the world shows what happened in it. */
export type Shown = 'at once' | 'late' | 'refused first';
export const SHOWN_LATE_MS = 2_000;

/** The platform's time is its own: it neither follows our clock nor jumps with it. */
const PLATFORM_EPOCH = 1_500_000_000_000;
const NOTIFICATION_TIMEOUT_MS = 10_000;

/**
 * The outside as far as one action of each type can touch it: a room with a message, a stream, what is composed and
 * transcoded of it. Counts what happened in effect.
 */
export class World {
  readonly #began: number;
  readonly #messages: Message[] = [];
  readonly #landedAt: number[] = [];
  #purges: number[] = [];
  #streamEnds = 0;
  #bans = new Set<string>();
  #notices = new Set<string>();
  #transcodings: string[] = [];
  #compositions: string[] = [];
  #composed = '';
  #stopped = 0;
  /** The stream that a notification told of; in the journal, and so for all lives. */
  #told: string | undefined;
  readonly #known: KnownMessage;

  readonly #clock: Clock;
  readonly #parts: Parts;
  readonly #wire: Wire;
  readonly #shown: () => Shown;
  readonly #lives: () => readonly Life[];

  constructor(outside: {
    readonly clock: Clock;
    readonly parts: Parts;
    readonly wire: Wire;
    /** Asked once something is looked for. */
    readonly shown: () => Shown;
    readonly lives: () => readonly Life[];
  }) {
    const { clock } = outside;
    this.#clock = clock;
    this.#parts = outside.parts;
    this.#wire = outside.wire;
    this.#shown = outside.shown;
    this.#lives = outside.lives;
    this.#began = clock.monotonic();
    const first = this.#say({ tags: [], text: 'known', mimeType: 'text/plain' });
    this.#known = { messageId: first.messageId, at: first.timestamp };
    clock.after(1_000, () => this.#say({ tags: [], text: 'said meanwhile', mimeType: 'text/plain' }));
  }

  /** How often the action took effect. */
  effects(action: Action): number {
    switch (action.type) {
      case 'message.send':
        return this.#messages.filter(({ tags }) => tags.includes(`op:${action.id}`)).length;
      case 'message.hide':
        // A second marker hides nothing twice.
        return Math.min(1, this.#messages.filter(({ mimeType }) => mimeType.includes('moderation')).length);
      case 'room.purge':
        return this.#purges.length;
      case 'stream.terminate':
        return this.#streamEnds;
      case 'transcoding.start':
        return this.#transcodings.length;
      case 'composition.start':
        return this.#compositions.length;
      case 'composition.update':
        return Number(this.#composed === JSON.stringify(action.spec.inputs.map(({ streamId }) => streamId)));
      case 'transcoding.stop':
      case 'composition.stop':
        return this.#stopped;
      case 'member.ban':
        return this.#bans.size;
      case 'notify.send':
        return this.#notices.size;
      case 'member.censor':
      case 'member.mute':
      case 'member.strike':
      case 'log.write':
        throw new Error(`${action.type} is settled with its decision; the outbox never has it.`);
      default:
        return action satisfies never;
    }
  }

  history(life: Life): ActionHistory {
    return {
      messageBefore: () => life.heard(Promise.resolve(this.#known)),
      streamOf: () => life.heard(Promise.resolve(this.#told)),
    };
  }

  /** The platform as one process reaches it. */
  client(life: Life): PlatformPort {
    const send = <T>(options: CallOptions | undefined, land: () => T): Promise<T> =>
      life.heard(this.#wire(life, options?.signal, land));
    const ok = { status: 'ok' } as const;
    return {
      sendMessage: ({ message }, options) =>
        send(options, () => ({ ...ok, message: this.#say({ ...message, text: message.message }) })),
      listMessages: () =>
        life.heard(
          Promise.resolve({ ...ok, messages: this.#list(), hasMoreBefore: false, hasMoreAfter: false }),
        ),
      purgeMessages: (_, options) =>
        send(options, () => {
          const deletedCount = this.#listAt(this.#clock.monotonic()).length;
          this.#purges.push(this.#clock.monotonic());
          return { ...ok, deletedCount };
        }),
      terminateStream: (_, options) =>
        send(options, () => {
          if (this.#streamEnds > 0)
            throw new this.#parts.platform.GoneError(this.#refusal('terminateStream'));
          this.#streamEnds += 1;
          return ok;
        }),
      createTranscoding: (_, options) =>
        send(options, () => {
          const [running] = this.#transcodings;
          if (running !== undefined)
            throw new this.#parts.platform.ConflictError(this.#refusal('createTranscoding'), {
              kind: 'transcoding',
              transcodingId: running,
            });
          this.#transcodings.push('t1');
          return { ...ok, transcodingId: 't1' };
        }),
      deleteTranscoding: (_, options) => send(options, () => this.#stop('deleteTranscoding')),
      createComposition: (_, options) =>
        send(options, () => {
          const compositionId = `c${this.#compositions.push('')}`;
          this.#notify(compositionId);
          return { ...ok, compositionId };
        }),
      updateComposition: ({ streams }, options) =>
        send(options, () => {
          this.#composed = JSON.stringify(streams.map(({ streamId }) => streamId));
          return ok;
        }),
      deleteComposition: (_, options) => send(options, () => this.#stop('deleteComposition')),
    };
  }

  ban(life: Life, ban: Ban): Promise<void> {
    return life.heard(this.#wire(life, undefined, () => void this.#bans.add(ban.action)));
  }

  notice(life: Life, id: string, signal: AbortSignal): Promise<Fate> {
    return life.heard(
      this.#wire(life, signal, () => {
        this.#notices.add(id);
        return done('told');
      }),
    );
  }

  #say(message: {
    readonly text: string;
    readonly mimeType: string;
    readonly tags?: readonly string[] | undefined;
  }): Message {
    const at = this.#clock.monotonic();
    const said: Message = {
      messageId: `m${this.#messages.length}`,
      timestamp: PLATFORM_EPOCH + at - this.#began,
      deletedTimestamp: 0,
      from: { screenName: 'House', role: 'Moderator', lastUpdate: 0 },
      mimeType: message.mimeType,
      message: message.text,
      tags: [...(message.tags ?? [])],
    };
    this.#messages.push(said);
    this.#landedAt.push(at);
    return said;
  }

  #list(): Message[] {
    return this.#listAt(this.#clock.monotonic() - (this.#shown() === 'at once' ? 0 : SHOWN_LATE_MS));
  }

  /** What was there at a time. */
  #listAt(atMs: number): Message[] {
    const purgedAt = Math.max(-1, ...this.#purges.filter((at) => at <= atMs));
    return this.#messages.filter((_, i) => {
      const landedAt = this.#landedAt[i] ?? Infinity;
      return landedAt <= Math.max(atMs, this.#began) && landedAt > purgedAt;
    });
  }

  #stop(operation: 'deleteTranscoding' | 'deleteComposition'): { readonly status: 'ok' } {
    if (this.#stopped > 0) throw new this.#parts.platform.ConflictError(this.#refusal(operation));
    this.#stopped += 1;
    return { status: 'ok' };
  }

  #refusal(operation: 'terminateStream' | 'createTranscoding' | 'deleteTranscoding' | 'deleteComposition') {
    return { operation, outcome: 'refused', attempts: 1 } as const;
  }

  /** Tells of a composition until somebody takes it: after 3 s, 6 s, … from the end of each attempt, nine times. */
  #notify(streamId: string, nth = 0): void {
    const shown = this.#shown();
    const life = this.#lives().findLast((one) => one.hears);
    const shed = shown === 'refused first' && nth < 3;
    const delayMs = nth === 0 && shown === 'late' ? SHOWN_LATE_MS : 0;
    this.#clock.after(delayMs, () => {
      if (life?.hears && !shed) {
        this.#told ??= streamId;
        return;
      }
      if (life?.hears) life.hearingSinceMs = this.#clock.monotonic();
      const frozen = this.#lives().length > 0 && !life;
      if (nth < 9)
        this.#clock.after((frozen ? NOTIFICATION_TIMEOUT_MS : 0) + 3_000 * 2 ** nth, () =>
          this.#notify(streamId, nth + 1),
        );
    });
  }
}
