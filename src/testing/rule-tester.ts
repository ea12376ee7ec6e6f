import type { ActionDraft, ActionType } from '../domain/action.ts';
import type { EventType } from '../domain/event.ts';
import type { PlaceView } from '../domain/place-view.ts';
import { undeclared } from '../plugin/check-definition.ts';
import type { RuleDefinition } from '../plugin/definitions.ts';
import { RuleTestError } from './assertion-error.ts';
import { contains } from './contains.ts';
import { deepFreeze } from './deep-freeze.ts';
import { play, type Played } from './play.ts';
import { policed } from './police.ts';
import { roomWith } from './room-with.ts';
import type { Step } from './script.ts';

/** An action that is expected: its type, or some of its fields. */
export type ExpectedAction = ActionType | (Readonly<Record<string, unknown>> & { readonly type: ActionType });

/** What happens in a case, and where. */
export interface SilentCase {
  readonly name: string;
  readonly steps: readonly Step[];
  /** A room with nobody in it unless given. */
  readonly room?: PlaceView;
  /** As a bot file writes them under `with`; on top of those of the table. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface ActingCase extends SilentCase {
  /** Everything that the rule does, in order. */
  readonly does: readonly ExpectedAction[];
}

export interface RuleTable {
  /** As a bot file writes them under `with`. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly acts?: readonly ActingCase[];
  readonly staysSilent?: readonly SilentCase[];
}

/** One case, to be given to any test runner. `run` throws when the rule does not do as the case says. */
export interface NamedCase {
  readonly name: string;
  readonly run: () => void;
}

/**
 * Cases of a rule. Each is played twice to new instances and compared; its input is frozen; the wall clock, chance,
 * timers and the network throw with advice; actions outside `mayDo`, actions without a reason and open subscriptions
 * fail it. Throws at once when the table itself is wrong (two cases of one name or with one input).
 *
 * ```ts
 * const { cases } = ruleTester(noShouting, {
 *   acts: [{ name: 'shouting is hidden', steps: [says('ann', 'HELLO EVERYBODY OUT THERE')], does: ['message.hide'] }],
 *   staysSilent: [{ name: 'a short cry is not', steps: [says('ann', 'HEY')] }],
 * });
 * test.each(cases)('$name', ({ run }) => run());
 * ```
 */
export function ruleTester<E extends EventType, A extends ActionType, O>(
  rule: RuleDefinition<E, A, O>,
  table: RuleTable,
): { readonly cases: readonly NamedCase[]; readonly run: () => void } {
  const all = [...(table.acts ?? []), ...(table.staysSilent ?? []).map((one) => ({ ...one, does: [] }))];
  refuseDuplicates(rule.name, all, table);
  for (const one of table.acts ?? []) {
    if (one.does.length === 0) throw new RuleTestError(`"${one.name}" acts but \`does\` is empty.`);
  }
  const cases = all.map((one) => ({ name: one.name, run: () => runCase(rule, table, one) }));
  return {
    cases,
    run() {
      for (const { run } of cases) run();
    },
  };
}

function refuseDuplicates(rule: string, cases: readonly ActingCase[], table: RuleTable): void {
  const names = new Set<string>();
  const inputs = new Map<string, string>();
  for (const one of cases) {
    if (names.has(one.name)) throw new RuleTestError(`${rule}: two cases are named "${one.name}".`);
    names.add(one.name);
    const room = one.room ?? roomWith();
    const place = { kind: room.kind, id: room.id };
    const steps = one.steps.map((step, index) =>
      typeof step === 'function' ? step({ place, room, at: index, step: index + 1 }) : step,
    );
    const input = JSON.stringify([
      steps,
      { ...table.options, ...one.options },
      [...room.members],
      [...room.streams],
      room.messages,
      [...room.resources],
      [room.alias, room.name, room.type],
    ]);
    const twin = inputs.get(input);
    // Strikes and mutes are behind functions: cases that differ only there look alike from here.
    if (twin !== undefined && one.room === undefined) {
      throw new RuleTestError(`${rule}: "${twin}" and "${one.name}" are the same case.`);
    }
    inputs.set(input, one.name);
  }
}

function runCase<E extends EventType, A extends ActionType, O>(
  rule: RuleDefinition<E, A, O>,
  table: RuleTable,
  { name, steps, room = roomWith(), options, does }: ActingCase,
): void {
  const parsed = rule.options.safeParse({ ...table.options, ...options });
  if (!parsed.success) throw new RuleTestError(`"${name}": the options do not fit: ${parsed.error.message}`);
  const chosen = deepFreeze(parsed.data);
  const first = attempt(rule, name, () => policed(() => play(rule, chosen, room, steps)));
  const second = attempt(rule, name, () => policed(() => play(rule, chosen, room, steps)));
  if (first.heard.size === 0) {
    throw new RuleTestError(`"${name}" has no event that ${rule.name} hears (${rule.hears.join(', ')}).`);
  }
  if (JSON.stringify(first.drafts) !== JSON.stringify(second.drafts)) {
    throw new RuleTestError(
      `"${name}": ${rule.name} did not do the same twice. It keeps something outside its streams and its memory.\n` +
        `first:  ${show(first.drafts)}\nsecond: ${show(second.drafts)}`,
    );
  }
  for (const draft of first.drafts) checkDraft(rule, draft, first);
  const expected = does.map((one) => (typeof one === 'string' ? { type: one } : one));
  if (!contains(first.drafts, expected)) {
    throw new RuleTestError(`"${name}"\nexpected: ${show(expected)}\ngot:      ${show(first.drafts)}`);
  }
}

function checkDraft(rule: RuleDefinition, draft: ActionDraft, { heard }: Played): void {
  if (!rule.mayDo.includes(draft.type))
    throw new RuleTestError(undeclared(rule.name, draft.type, rule.mayDo));
  if (draft.because.length === 0) {
    throw new RuleTestError(`${rule.name} did "${draft.type}" without a reason: give it \`because\`.`);
  }
  const unknown = draft.because.find((id) => !heard.has(id));
  // Streams of the room name the event that told of them, which no step need have shown.
  if (unknown !== undefined && !unknown.startsWith('stream.started ') && !unknown.startsWith('cause-')) {
    throw new RuleTestError(
      `${rule.name} did "${draft.type}" because of "${unknown}", which it never heard of.`,
    );
  }
}

function attempt(rule: RuleDefinition, name: string, run: () => Played): Played {
  try {
    return run();
  } catch (error) {
    if (error instanceof RuleTestError) throw error;
    const what = error instanceof Error ? error.message : String(error);
    const advice = /read.?only|not extensible/.test(what)
      ? ' Events, options and the room are shared and frozen: make a copy to change.'
      : '';
    throw Object.assign(new RuleTestError(`"${name}": ${rule.name} threw: ${what}.${advice}`), {
      cause: error,
    });
  }
}

const show = (drafts: readonly unknown[]): string =>
  drafts.length === 0 ? 'nothing' : drafts.map((draft) => JSON.stringify(draft)).join('\n          ');
