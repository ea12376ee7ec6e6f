import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Node, ParsedNode } from 'yaml';
import { fillEnvironment } from './fill-environment.ts';
import type { Findings } from './finding.ts';
import { nestsDeeperThan } from './nesting.ts';
import { Spot } from './spot.ts';
import type { Position } from './spot.ts';

/** Bounds that no file of a person reaches: they keep aliases and nesting from blowing a small file up. */
const MOST_CHARACTERS = 1_000_000;
const MOST_VALUES = 200_000;
const DEEPEST = 60;

type Path = readonly (string | number)[];

/** What a file is meant to be, for whoever wrote an empty one or a list. */
export interface Expected {
  readonly what: string;
  readonly keys: string;
  readonly least: string;
}
const BOT: Expected = {
  what: 'a bot file',
  keys: 'version, bot, rules',
  least: '"version: 1", "bot: a-name" and "rules:"',
};

/**
 * A YAML file as spots; undefined when there is nothing to walk, with the reason among the findings. YAML 1.2 without
 * merge keys and custom tags: what a file says is what stands there.
 */
export function readYaml(
  file: string,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  findings: Findings,
  expected: Expected = BOT,
): Spot | undefined {
  const whole = new Spot({ file, path: [], at: { line: 1, col: 1 }, value: undefined });
  if (text.length > MOST_CHARACTERS) {
    findings.error(
      whole,
      `the file has ${text.length} characters, more than ${MOST_CHARACTERS}: move long word lists into files under "lists"`,
    );
    return undefined;
  }
  const lines = new LineCounter();
  if (nestsDeeperThan(text, DEEPEST)) {
    findings.error(whole, `the file is nested too deeply: more than ${DEEPEST} levels`);
    return undefined;
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    version: '1.2',
    schema: 'core',
  });
  const position = (offset: number): Position => lines.linePos(offset);
  for (const problem of [...document.errors, ...document.warnings]) {
    findings.error({
      file,
      ...position(problem.pos[0]),
      path: '',
      message: teach(problem.code, problem.message),
    });
  }
  if (document.errors.length > 0) return undefined;
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    findings.error(whole, `the file is empty: it needs at least ${expected.least}`);
    return undefined;
  }
  const walk = new Walk(file, position, env, findings);
  const root = walk.spot(document.contents, []);
  if (root.kind !== 'map') {
    findings.error(root, `${expected.what} is a map (${expected.keys}, …), this is a ${root.kind}`);
    return undefined;
  }
  return root;
}

function teach(code: string, message: string): string {
  if (code === 'TAB_AS_INDENT') return 'a tab cannot indent YAML: use spaces';
  if (code === 'MULTIPLE_DOCS') return 'one file holds one bot: a second document starts here';
  if (code === 'TAG_RESOLVE_FAILED')
    return `${lowerFirst(message)}: tags such as "!name" have no meaning in a bot file`;
  return lowerFirst(message.split('\n')[0] ?? message);
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** `on`, `5` and `true` are words when they stand as a key. */
const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

class Walk {
  readonly #file: string;
  readonly #position: (offset: number) => Position;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #findings: Findings;
  readonly #anchors = new Map<string, Node>();
  #values = 0;

  constructor(
    file: string,
    position: (offset: number) => Position,
    env: Readonly<Record<string, string | undefined>>,
    findings: Findings,
  ) {
    this.#file = file;
    this.#position = position;
    this.#env = env;
    this.#findings = findings;
  }

  spot(node: Node | ParsedNode | null, path: Path, keyAt?: Position): Spot {
    const at = node?.range ? this.#position(node.range[0]) : (keyAt ?? { line: 1, col: 1 });
    const where = { file: this.#file, path, at, ...(keyAt && { keyAt }) };
    const nothing = new Spot({ ...where, value: null, written: '', unfilled: node !== null });
    this.#values += 1;
    if (path.length > DEEPEST || this.#values > MOST_VALUES) {
      if (path.length > DEEPEST || this.#values === MOST_VALUES + 1) {
        this.#findings.error(
          nothing,
          path.length > DEEPEST ? 'nested too deeply' : 'too many values (aliases?)',
        );
      }
      return nothing;
    }
    if (node === null) return nothing;
    if (!isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isAlias(node)) return this.#alias(node.source, nothing, path, keyAt);
    if (isMap(node)) return this.#map(node.items, where);
    if (isSeq(node)) {
      const children = new Map(
        node.items.map((item, index) => [index, this.spot(item as Node | null, [...path, index])] as const), // a parsed sequence holds nodes
      );
      return new Spot({ ...where, value: [...children.values()].map((child) => child.value), children });
    }
    return this.#scalar(isScalar(node) ? node.value : null, where);
  }

  #alias(name: string, nothing: Spot, path: Path, keyAt?: Position): Spot {
    const target = this.#anchors.get(name);
    if (target !== undefined) return this.spot(target, path, keyAt);
    this.#findings.error(nothing, `"*${name}" refers to an anchor that does not stand before it`);
    return nothing;
  }

  #map(
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    where: { readonly file: string; readonly path: Path; readonly at: Position; readonly keyAt?: Position },
  ): Spot {
    const children = new Map<string | number, Spot>();
    for (const pair of pairs) {
      const key = pair.key as Node | null; // a parsed map holds nodes
      const keyAt = key?.range ? this.#position(key.range[0]) : where.at;
      const name = isScalar(key) ? keyOf(key.value) : undefined;
      const here = new Spot({ ...where, path: [...where.path, name ?? '?'], at: keyAt, value: null });
      const first = name === undefined ? undefined : children.get(name);
      if (name === undefined) this.#findings.error(here, 'a key must be a word');
      else if (name === '<<')
        this.#findings.error(here, 'merge keys are not read: use "defaults", or write the keys out');
      else if (first !== undefined)
        this.#findings.error(here, `duplicate key "${name}", first on line ${first.keyAt.line}`);
      else children.set(name, this.spot(pair.value as Node | null, [...where.path, name], keyAt));
    }
    const value = Object.fromEntries([...children].map(([key, child]) => [key, child.value]));
    return new Spot({ ...where, value, children });
  }

  #scalar(
    value: unknown,
    where: { readonly file: string; readonly path: Path; readonly at: Position; readonly keyAt?: Position },
  ): Spot {
    if (typeof value !== 'string') return new Spot({ ...where, value });
    const filled = fillEnvironment(value, this.#env);
    const unfilled = filled.missing.length > 0;
    const spot = new Spot({ ...where, value: filled.text, written: value, unfilled });
    for (const [name, secret] of filled.used) this.#findings.conceal(secret, `\${${name}}`);
    for (const name of filled.missing) {
      this.#findings.error(spot, `the environment variable ${name} is not set`);
    }
    return spot;
  }
}
