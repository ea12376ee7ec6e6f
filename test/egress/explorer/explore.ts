import { everyHistory } from './choices.ts';
import { live, type Scope, type Verdict } from './history.ts';

/** What all histories of a scope came to. */
export interface Explored {
  readonly histories: number;
  /** Never happened, though nobody refused it for good. */
  readonly lost: readonly string[];
  /** Happened more than once. */
  readonly doubled: readonly string[];
  /** Given up, with an outcome that says so: by the wall clock its time was over. */
  readonly tooLate: readonly string[];
  /** Its outcome is missing, or says something else than what happened. */
  readonly mistold: readonly string[];
}

/** Lives every history there is; those that went wrong are told by their choices. */
export async function explore(scope: Scope): Promise<Explored> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const tooLate: string[] = [];
  const mistold: string[] = [];
  const histories = await everyHistory(async (choices, told) => {
    const verdict = await live(scope, choices);
    const line = (): string => `${told()} → ${verdict.effects} × ${verdict.outcome} (${verdict.detail})`;
    const late = /too late/i.test(verdict.detail);
    if (late) tooLate.push(line());
    if (verdict.effects === 0 && !verdict.refused && !late) lost.push(line());
    if (verdict.effects > 1) doubled.push(line());
    if (!isTrue(verdict, late)) mistold.push(line());
  });
  return { histories, lost, doubled, tooLate, mistold };
}

/** Whether the outcome says what happened; `unknown` does only where it was too late to find out. */
const isTrue = ({ effects, outcome }: Verdict, late: boolean): boolean =>
  outcome === (effects > 0 ? 'performed' : 'failed') || (late && outcome === 'unknown');
