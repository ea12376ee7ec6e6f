import type { Spot } from './spot.ts';

/** Something wrong, or odd, in a file: printed as `file:line:col path: message`. Lines and columns count from 1. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  /** `rules.8.then.0.hide`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** One line, as editors and people find it. */
export const formatFinding = ({ file, line, col, path, message }: Finding): string =>
  `${file}:${line}:${col} ${path === '' ? '' : `${path}: `}${message}`;

/** Collects what is wrong (`error`) and what is odd (`warn`), so that one run tells all of it. */
export class Findings {
  readonly #errors: Finding[] = [];
  readonly #warnings: Finding[] = [];
  readonly #secrets = new Map<string, string>();

  error(at: Spot | Finding, message = ''): void {
    this.#errors.push('message' in at ? at : locate(at, message));
  }

  warn(at: Spot, message: string): void {
    this.#warnings.push(locate(at, message));
  }

  /** Shows `instead` wherever a filled-in value would stand in a finding: it may be a secret. */
  conceal(value: string, instead: string): void {
    // Shorter ones are no secrets, and would be found inside of innocent words.
    if (value.length >= 4) this.#secrets.set(value, instead);
  }

  /** How many errors there are so far. */
  get count(): number {
    return this.#errors.length;
  }

  get failed(): boolean {
    return this.#errors.length > 0;
  }

  errors(): readonly string[] {
    return this.#lines(this.#errors);
  }

  warnings(): readonly string[] {
    return this.#lines(this.#warnings);
  }

  #lines(findings: readonly Finding[]): readonly string[] {
    const concealed = (line: string): string =>
      [...this.#secrets].reduce((text, [value, instead]) => text.replaceAll(value, instead), line);
    return inOrder(findings).map(concealed);
  }
}

const locate = (spot: Spot, message: string): Finding => ({
  file: spot.file,
  line: spot.at.line,
  col: spot.at.col,
  path: spot.path.join('.'),
  message,
});

/** File by file in the order of their first finding, by position inside a file, each line once. */
function inOrder(findings: readonly Finding[]): readonly string[] {
  const files = [...new Set(findings.map((finding) => finding.file))];
  const sorted = [...findings].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.col - b.col,
  );
  return [...new Set(sorted.map(formatFinding))];
}
