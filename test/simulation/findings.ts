/** What may not be found in any run. */
export const FAULTS = [
  'lost',
  'doubled',
  'misordered',
  'wrongly punished',
  'not journaled',
  'broken',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Finding {
  readonly fault: Fault;
  readonly what: string;
}

export const finding = (fault: Fault, what: string): Finding => ({ fault, what });
