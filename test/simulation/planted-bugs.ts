/** A fault that somebody could make: one piece of one source file, and what stands there instead. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly piece: string;
  readonly instead: string;
}

/** Bugs of the kind that the ring exists to be without. Each must be found by the simulation. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'the dedupe is dropped: a fact has another id each time that it is told',
    file: 'src/domain/event-id.ts',
    piece: "case 'stream.started':\n    case 'stream.ended':\n      return about(event.streamId);",
    instead:
      "case 'stream.started':\n    case 'stream.ended':\n      return about(event.streamId, event.seenAt);",
  },
  {
    name: 'a notification is acknowledged before it is durable',
    file: 'src/ingress/webhook-receiver.ts',
    piece: "const [fate = 'duplicate'] = await inTime(intake.accept([event]));",
    instead: "const fate = 'new';\n      void intake.accept([event]).catch(() => {});",
  },
  {
    name: 'only the first intent of a commit is handed on',
    file: 'src/engine/create-engine.ts',
    piece: 'sink.enqueue(intents)',
    instead: 'sink.enqueue(intents.slice(0, 1))',
  },
  {
    name: 'the tombstone is forgotten: a late start revives an ended stream',
    file: 'src/engine/fold-stream.ts',
    piece: 'if (state.tombstones.has(streamId)) return UNCHANGED;',
    instead: '',
  },
  {
    name: 'the outbox is unordered: a deed passes the one before it',
    file: 'src/egress/line.ts',
    piece: 'heldUp.add(job.deed.about);',
    instead: '',
  },
  {
    name: 'a call goes out without a mark',
    file: 'src/egress/protocol.ts',
    piece: 'const marked = await ledger.mark(job.members, job.attempts + 1);',
    instead: "const marked = 'marked' as string;",
  },
  {
    name: 'GRACE is not waited for',
    file: 'src/egress/protocol.ts',
    piece: 'const proven = clock.monotonic() >= provenFromMs;',
    instead: 'const proven = true;',
  },
  {
    name: 'what is in doubt is sent again without reading back',
    file: 'src/egress/protocol.ts',
    piece: 'if (!job.doubt) return await attempt(job);',
    instead: 'return await attempt(job);',
  },
  {
    name: 'what may have happened is taken for refused',
    file: 'src/egress/fate-of-error.ts',
    piece: "if (error.outcome === 'unknown') return { kind: 'doubt', reason };",
    instead: "if (error.outcome === 'unknown') return { kind: 'again', reason, limited: false };",
  },
  {
    name: 'an outcome is not written down',
    file: 'src/egress/protocol.ts',
    piece:
      "return (await ledger.settle(job.members, settlement)) ? { kind: 'gone' } : waitAfterFailure(job);",
    instead: "return { kind: 'gone' };",
  },
  {
    name: 'open actions of the last life are forgotten',
    file: 'src/egress/outbox.ts',
    piece: 'await actions.open()',
    instead: '(await actions.open()).slice(0, 0)',
  },
  {
    name: 'events that nobody had handled before a crash are forgotten',
    file: 'src/engine/create-engine.ts',
    piece: 'this.#intake.resume(rows);\n      if (rows.length < UNDONE_PAGE)',
    instead: 'if (rows.length < UNDONE_PAGE)',
  },
  {
    name: 'an event is done and the state that it changed is not saved',
    file: 'src/engine/lane-runner.ts',
    piece: 'parts: state.takeChanges(),',
    instead: 'parts: (state.takeChanges(), {}),',
  },
  {
    name: 'a keeper forgets what it owns',
    file: 'src/engine/keep.ts',
    piece: 'if (state.resources.has(part)) continue;',
    instead: '',
  },
  {
    name: 'the role is what a message claims, not what the member list says',
    file: 'src/engine/perceive.ts',
    piece: "const role = standing === 'verified' ? member?.role : undefined;",
    instead: 'const role = author.claimedRole;',
  },
  {
    name: 'one poll ends a stream, though it is older than the news',
    file: 'src/ingress/diff-streams.ts',
    piece: `if (!before && (!stream || (seenAt(streamId) ?? 0) >= requestedAt)) continue;
    const suspicion: StreamSuspicion = before ?? {
      what: 'ended',
      since: requestedAt,
      ...(stream?.sessionId === undefined ? {} : { sessionId: stream.sessionId }),
      tags: stream?.tags ?? [],
      told: false,
    };
    const tell = ripe(suspicion);`,
    instead: `if (!before && !stream) continue;
    const suspicion: StreamSuspicion = before ?? {
      what: 'ended',
      since: requestedAt,
      tags: stream?.tags ?? [],
      told: false,
    };
    const tell = true;`,
  },
  {
    name: 'the cursor moves before the messages are durable',
    file: 'src/ingress/poll-messages.ts',
    piece:
      'found += await tell(place, parts, messages, source);\n    last = cursor.last = messages.at(-1)?.messageId ?? last;',
    instead:
      'last = cursor.last = messages.at(-1)?.messageId ?? last;\n    found += await tell(place, parts, messages, source);',
  },
  {
    name: 'an event that was handled is not noted as done',
    file: 'src/engine/lane-runner.ts',
    piece: 'handled: rows.map(({ seq }) => seq),',
    instead: 'handled: [],',
  },
  {
    name: 'nobody is excepted from a rule',
    file: 'src/language/compile-except.ts',
    piece: "subject?.standing === 'verified' &&",
    instead: 'subject?.standing === undefined &&',
  },
  {
    name: 'our own composition is taken for a publisher',
    file: 'src/engine/fold.ts',
    piece: 'event.own ? foldOwnStream(state, event) : foldStreamStarted(state, event)',
    instead: 'foldStreamStarted(state, event)',
  },
];
