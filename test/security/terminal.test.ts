import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { narrate } from '../../src/cli/narrator.ts';
import { Names } from '../../src/cli/names.ts';
import { plainLines } from '../../src/cli/paint.ts';
import { tellAction } from '../../src/cli/tell-action.ts';
import { tellEvent } from '../../src/cli/tell-event.ts';
import { ACTION_TYPES, type Action } from '../../src/domain/action.ts';
import { EVENT_TYPES, type ActionSettled, type UsherEvent } from '../../src/domain/event.ts';
import type { Bus } from '../../src/engine/bus.ts';
import type { ActionRecord } from '../../src/engine/ports.ts';
import { compile } from '../language/compile.ts';
import { HOSTILE_TEXTS, UNSAFE } from './hostile-texts.ts';

/** All fields of all events and actions at once, the text in each that can hold one. */
const everything = (text: string) => {
  const place = { kind: 'room', id: text };
  const change = { from: text, to: text };
  const member = {
    sessionId: text,
    screenName: text,
    role: text,
    state: text,
    streams: [{ streamId: text }],
    lastUpdate: 0,
  };
  const spec = {
    streamId: text,
    type: text,
    quality: text,
    inputs: [{ streamId: text }, { streamId: text }],
  };
  return {
    id: text,
    at: 0,
    seenAt: 0,
    source: 'poll',
    place,
    bot: text,
    rule: text,
    lane: text,
    dueAt: 0,
    because: [],
    messageId: text,
    messageIds: [text],
    text,
    mimeType: text,
    tags: [text],
    screenName: text,
    name: text,
    author: { key: text, screenName: text, standing: 'verified', claimedRole: text, sessionId: text },
    member,
    changes: { role: change },
    audio: change,
    video: change,
    streamId: text,
    sessionId: text,
    uri: text,
    durationMs: null,
    reason: text,
    isPrimary: true,
    facts: { alias: text, type: text, name: text },
    what: text,
    body: text,
    error: text,
    event: text,
    target: text,
    ladder: text,
    points: 2,
    forMs: 1,
    watchMs: 1,
    as: { screenName: text, role: text },
    spec,
    resource: text,
    transcodingId: text,
    compositionId: text,
    action: text,
    actionType: text,
    outcome: text,
    detail: text,
    result: {},
  };
};
// Made of all fields that there are: what a type lacks, nobody reads.
const eventOf = (type: string, text: string): UsherEvent =>
  ({ ...everything(text), type }) as unknown as UsherEvent;
const actionOf = (type: string, text: string): Action => ({ ...everything(text), type }) as unknown as Action;

const LONG = 'x'.repeat(100_000);

describe('a line on the terminal is one line, without commands, whatever was said', () => {
  test.each(EVENT_TYPES)('%s', (type) => {
    for (const text of HOSTILE_TEXTS) {
      const [fresh, learnt] = [new Names(), new Names()];
      learnt.learn(eventOf('member.joined', text));
      learnt.learn(eventOf('room.opened', text));
      for (const changed of ['role', 'screenName', 'state']) {
        const changes = { [changed]: { from: text, to: text } };
        const event = { ...eventOf(type, text), changes } as UsherEvent; // as above
        for (const names of [fresh, learnt]) {
          expect(tellEvent(event, names)?.text ?? '').not.toMatch(UNSAFE);
          expect(names.place(event.place)).not.toMatch(UNSAFE);
        }
      }
    }
    expect((tellEvent(eventOf(type, LONG), new Names())?.text ?? '').length).toBeLessThan(1_000);
  });

  test.each(ACTION_TYPES)('%s', (type) => {
    for (const text of HOSTILE_TEXTS)
      expect(tellAction(actionOf(type, text), new Names())).not.toMatch(UNSAFE);
    expect(tellAction(actionOf(type, LONG), new Names()).length).toBeLessThan(1_000);
  });

  test.each(['performed', 'shadowed', 'failed'])('the narrator of what was %s', (outcome) => {
    const lines: string[] = [];
    const bus = {
      events$: new Subject<UsherEvent>(),
      decisions$: new Subject<ActionRecord>(),
      outcomes$: new Subject<ActionSettled>(),
    };
    // The three streams are all that it listens to.
    const stop = narrate(
      bus as unknown as Bus,
      (_colour, text) => text,
      (line) => lines.push(line),
    );
    for (const text of HOSTILE_TEXTS) {
      bus.events$.next(eventOf('message.posted', text));
      bus.decisions$.next({ action: actionOf('message.send', text), lane: 'room:x', mode: 'enforce' });
      bus.outcomes$.next({ ...eventOf('action.settled', text), outcome } as ActionSettled);
    }
    stop();
    expect(lines).toHaveLength(2 * HOSTILE_TEXTS.length);
    for (const line of lines) expect(line).not.toMatch(UNSAFE);
  });

  test('a finding that quotes a file', () => {
    for (const text of HOSTILE_TEXTS) {
      const compiled = compile(
        `version: 1\nbot: b\n${JSON.stringify(text)}: 1\nrules: [{id: ${JSON.stringify(text)}, when: ${JSON.stringify(text)}, then: hide}]\n`,
      );
      const shown = plainLines('findings' in compiled ? compiled.findings : []);
      expect(shown.split('\n').length).toBeGreaterThan(2);
      expect(shown.replaceAll('\n', '')).not.toMatch(UNSAFE);
      for (const line of shown.trimEnd().split('\n')) expect(line).toMatch(/^bots\/b\.yaml:\d+:\d+ /);
    }
  });
});
