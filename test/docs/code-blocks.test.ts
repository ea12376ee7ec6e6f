import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Inside of the project, so that the blocks find its packages. */
const folder = join(root, '.usher-cache', `docs-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const blocks = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match, index) => ({
    name: `${page.replaceAll(/\W/g, '-')}-${index}.ts`,
    code: match[1] ?? '',
  })),
);

/** Links of a page to files of the project. */
const links = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g)].map(
    (match) => ({
      page,
      target: join(root, page, '..', match[1] ?? ''),
    }),
  ),
);

describe('the pages', () => {
  test('their TypeScript compiles as an author would compile it', () => {
    expect(blocks.length).toBeGreaterThan(3);
    mkdirSync(folder, { recursive: true });
    // A test beside a plugin imports it as ./index.ts.
    for (const { name, code } of blocks)
      writeFileSync(join(folder, name), code.replace("'./index.ts'", "'./README-md-index.ts'"));
    writeFileSync(
      join(folder, 'README-md-index.ts'),
      blocks.find(({ code }) => code.includes("name: 'greeter'"))?.code ?? '',
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: { noUnusedLocals: false },
        include: ['*.ts'],
      }),
    );
    let output = '';
    try {
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
        encoding: 'utf8',
      });
    } catch (error) {
      output = (error as { stdout: string }).stdout; // execFileSync with an encoding
    }
    expect(output).toBe('');
  });

  test('their links lead to files', () => {
    expect(links.length).toBeGreaterThan(5);
    const there = (path: string): boolean => {
      try {
        readdirSync(path);
        return true;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOTDIR'; // a file is there, too
      }
    };
    expect(links.filter(({ target }) => !there(target))).toEqual([]);
  });
});
