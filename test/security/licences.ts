import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A package of the lock file. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** Installed with usher, and not only for its development. */
  readonly shipped: boolean;
  /** SPDX, as the lock file has it; empty where it says none. */
  readonly licence: string;
  /** SPDX, as the package itself says; undefined where it is not installed (another platform's). */
  readonly said: string | undefined;
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }>
  >;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** Everything that `npm ci` may install, by name. */
export function lockedPackages(): readonly Package[] {
  const { packages } = readJson(join(root, 'package-lock.json')) as Lock; // npm's format, version 3
  return Object.entries(packages)
    .filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
    .map(([path, { version = '', license = '', dev }]) => {
      const manifest = join(root, path, 'package.json');
      const own = existsSync(manifest) ? (readJson(manifest) as { license?: unknown }) : undefined; // any package's
      const said = own === undefined ? undefined : typeof own.license === 'string' ? own.license : '';
      const name = path.replace(/^.*node_modules\//, '');
      return { name, version, shipped: dev !== true, licence: license, said };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
}

/** Licences that ask for a notice and no more. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);

/** Whether an SPDX expression leaves a choice that is allowed: one of `OR`, each of `AND`; exceptions are none. */
export const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => ALLOWED.has(each.trim())));

/** Tools are used and not passed on, so that one whose changed files would have to be shown is no burden. */
const ALLOWED_IN_TOOLS = new Set(['MPL-2.0']);
export const isAllowedInTools = (licence: string): boolean =>
  isAllowed(licence) || ALLOWED_IN_TOOLS.has(licence);

/** `docs/licences.md`, whole. */
export function licencesPage(packages: readonly Package[]): string {
  return `# Licences

What is installed with usher, what only with its sources, and under which licence: made from the lock file by \`test/security/licences.test.ts\`
(\`UPDATE_DOCS=1\` writes it anew), which fails on a licence that asks for more than a notice (tools may have MPL-2.0 too), on none, and where a package
says something else than the lock file. Some hold more: \`@photostructure/sqlite\` the SQLite library (public domain),
\`src/text/lookalikes.ts\` data of unhomoglyph and Unicode with their notices.

${sectionsOf(packages.filter(({ shipped }) => shipped))}
# Tools of development

${sectionsOf(packages.filter(({ shipped }) => !shipped))}`;
}

const sectionsOf = (packages: readonly Package[]): string =>
  [...groupedBy(packages)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([licence, members]) =>
        `## ${licence}\n\n${collapsed(members)
          .map((line) => `- ${line}`)
          .join('\n')}\n`,
    )
    .join('\n');

function groupedBy(shipped: readonly Package[]): ReadonlyMap<string, readonly Package[]> {
  const groups = new Map<string, Package[]>();
  for (const one of shipped) groups.set(one.licence, [...(groups.get(one.licence) ?? []), one]);
  return groups;
}

/** One line a package; a package's binaries, one a platform, in one line. */
function collapsed(packages: readonly Package[]): readonly string[] {
  const lines = packages.map(({ name, version }) =>
    name.startsWith('@esbuild/')
      ? `@esbuild/* ${version} (its binaries, one a platform)`
      : `${name} ${version}`,
  );
  return [...new Set(lines)];
}
