import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which rooms a room may import from; `engine/ports.ts` is open to all that the engine's neighbours are (docs/architecture.md). */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  text: [],
  domain: [],
  platform: ['domain', 'errors'],
  plugin: ['domain', 'errors'],
  testing: ['domain', 'errors', 'platform', 'plugin'],
  store: ['domain', 'errors', 'platform', 'plugin', 'text', 'ports'],
  ingress: ['domain', 'errors', 'platform', 'plugin', 'text', 'ports'],
  engine: ['domain', 'errors', 'platform', 'plugin', 'text', 'ports'],
  language: ['domain', 'errors', 'platform', 'plugin', 'text', 'ports'],
  egress: ['domain', 'errors', 'platform', 'plugin', 'text', 'ports'],
  console: ['domain', 'errors', 'platform', 'plugin', 'text', 'ports'],
  ports: ['domain', 'plugin'],
  sandbox: ['domain', 'errors', 'platform'],
};
/** The composition root and the commands know everything. */
const ROOTS = new Set(['daemon', 'cli']);

const files = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();

/** Specifiers of imports, exports from, dynamic imports and `import('…')` types: type imports count. */
export const specifiers = (code: string): string[] => {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const found = [
    ...bare.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]/gm),
    ...bare.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm),
    ...bare.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g),
  ];
  return found.map((match) => match[1]!);
};

const roomOf = (file: string): string => {
  if (file === 'src/errors.ts') return 'errors';
  if (file === 'src/engine/ports.ts') return 'ports';
  return file.split('/')[1]!;
};

const edges = files('src').flatMap((file) =>
  specifiers(readFileSync(join(root, file), 'utf8'))
    .filter((name) => name.startsWith('.'))
    .map((name) => ({ from: file, to: relative(root, resolve(root, dirname(file), name)) })),
);

describe('the arrows between rooms', () => {
  test('the scan sees imports, types, re-exports and dynamic imports', () => {
    const code = `import a from './a.ts';\nimport type { B,\n C } from "./b.ts";\nexport * from './c.ts';\nawait import('./d.ts'); // import x from './no.ts'\n/* import './no.ts' */\nimport './e.ts';`;
    expect(specifiers(code).sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts']);
  });

  test('every import goes along an arrow', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [room, target] = [roomOf(from), roomOf(to)];
      return room !== target && !ROOTS.has(room) && !(ARROWS[room] ?? []).includes(target);
    });
    expect(wrong).toEqual([]);
  });

  test('no room is unknown to the plan', () => {
    const rooms = new Set(files('src').map(roomOf));
    expect([...rooms].filter((room) => !(room in ARROWS) && !ROOTS.has(room))).toEqual([]);
  });

  test('no imports go round in a circle', () => {
    const next = new Map<string, string[]>();
    for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const walk = (file: string, path: readonly string[]): string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return [];
      for (const to of next.get(file) ?? []) {
        const circle = walk(to, [...path, file]);
        if (circle.length > 0) return circle;
      }
      done.add(file);
      return [];
    };
    expect([...next.keys()].map((file) => walk(file, [])).find((circle) => circle.length > 0) ?? []).toEqual(
      [],
    );
  });

  test('plugins import only usher/plugin, usher/text and their own files; their tests also usher/testing', () => {
    const wrong = files('plugins').flatMap((file) => {
      const folder = file.split('/').slice(0, 2).join('/');
      const doors = [
        'usher/plugin',
        'usher/text',
        ...(file.endsWith('.test.ts') ? ['usher/testing', 'vitest'] : []),
      ];
      return specifiers(readFileSync(join(root, file), 'utf8'))
        .filter((name) =>
          name.startsWith('.')
            ? !relative(root, resolve(root, dirname(file), name)).startsWith(`${folder}/`)
            : !doors.includes(name),
        )
        .map((name) => `${file}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  test('index.ts stands only at the doors', () => {
    const doors = new Set(
      ['platform', 'plugin', 'text', 'testing', 'sandbox'].map((name) => `src/${name}/index.ts`),
    );
    expect(files('src').filter((file) => file.endsWith('/index.ts') && !doors.has(file))).toEqual([]);
  });

  test('no file has a name that says nothing', () => {
    const vague = /\/(utils?|helpers?|common|misc|manager|types)\.ts$/;
    expect([...files('src'), ...files('plugins')].filter((file) => vague.test(file))).toEqual([]);
  });
});
