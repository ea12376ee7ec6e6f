import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Message, type Plugin } from 'esbuild';
import { describeError } from '../errors.ts';
import { isBelow } from './below.ts';
import { isPluginDefinition, type PluginDefinition } from '../plugin/index.ts';

/** Entry files of a folder of plugins: `NAME/index.ts|js|mjs` or a single `NAME.ts|js|mjs`. */
const ENTRY = ['.ts', '.mts', '.js', '.mjs'];

const SELF = fileURLToPath(import.meta.url);
const doorOf = (name: string): string => join(dirname(dirname(SELF)), name, `index${extname(SELF)}`);

/**
 * Leaves packages and usher's doors outside of the bundle, named by where the author's file finds them: only the
 * author's own files go in. Run from TypeScript sources (our tests), the doors go in too: Node could not import them.
 */
const keepOutside: Plugin = {
  name: 'keep-outside',
  setup(builder) {
    builder.onResolve({ filter: /^usher\/(plugin|text|testing)$/ }, ({ path }) => {
      const door = doorOf(path.slice('usher/'.length));
      return extname(SELF) === '.ts' ? { path: door } : { path: pathToFileURL(door).href, external: true };
    });
    builder.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || path.startsWith('node:') || pluginData === RESOLVING) return undefined;
      const from = (folder: string) =>
        builder.resolve(path, { kind, resolveDir: folder, pluginData: RESOLVING });
      let found = await from(resolveDir);
      // A folder of plugins away from usher has no packages of its own to speak of.
      if (found.errors.length > 0 && LENT.test(path)) found = await from(dirname(SELF));
      if (found.errors.length > 0) return { errors: found.errors };
      return { path: isAbsolute(found.path) ? pathToFileURL(found.path).href : found.path, external: true };
    });
  },
};

/** An author's own files lie in the folder of plugins: what is imported from elsewhere would be neither seen nor watched. */
const keepInside = (folder: string): Plugin => ({
  name: 'keep-inside',
  setup(builder) {
    builder.onResolve({ filter: /^[./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (pluginData === RESOLVING || kind === 'entry-point' || !isBelow(folder, importer)) return undefined;
      const { path: found, errors } = await builder.resolve(path, {
        kind,
        importer,
        resolveDir,
        pluginData: RESOLVING,
      });
      if (errors.length > 0) return { errors };
      return isBelow(folder, found)
        ? { path: found }
        : { errors: [{ text: `"${path}" leads out of the folder of plugins: copy what is needed into it` }] };
    });
  },
});
const RESOLVING = Symbol('resolving');
/** What rules are written with: usher's own copy, where the author's folder has none. */
const LENT = /^(rxjs|zod)(\/|$)/;

async function entries(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const found = await readdir(folder, { withFileTypes: true });
  return found
    .filter(
      (item) => !item.name.startsWith('.') && !item.name.includes('.test.') && !item.name.endsWith('.d.ts'),
    )
    .flatMap((item) => {
      if (item.isDirectory() || (item.isSymbolicLink() && isFolder(join(folder, item.name)))) {
        const index = ENTRY.map((ending) => join(folder, item.name, `index${ending}`)).find((path) =>
          existsSync(path),
        );
        return index ? [index] : [];
      }
      return ENTRY.includes(extname(item.name)) ? [join(folder, item.name)] : [];
    })
    .sort();
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const place = (folder: string, { location, text }: Message): string =>
  location
    ? `${relative(process.cwd(), resolve(folder, location.file))}:${location.line}:${location.column + 1} ${text}`
    : text;

/** Bundles one entry and imports it; the name holds a hash of the code, so that a changed file is a new module. */
async function load(
  entry: string,
  folder: string,
  cache: string,
): Promise<{ readonly exported: unknown; readonly version: string }> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
    absWorkingDir: dirname(entry),
    plugins: [keepInside(folder), keepOutside],
  });
  const code = result.outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(entry).update(code).digest('hex').slice(0, 16);
  const file = join(cache, `${hash}.mjs`);
  await mkdir(cache, { recursive: true });
  await writeFile(file, code);
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown }; // an ES module has this shape or none
  return { exported: module.default, version: hash };
}

export interface LoadedPlugins {
  readonly plugins: ReadonlyMap<string, PluginDefinition>;
  /** Files that define them, to be watched. */
  readonly files: readonly string[];
  /** `file:line:col message`, all of them. */
  readonly findings: readonly string[];
}

/**
 * Loads every plugin of a folder, from TypeScript or JavaScript, without a build step. A file that does not load is a
 * finding, not an exception: all of them are told at once.
 */
export async function loadPlugins(folder: string, cache: string): Promise<LoadedPlugins> {
  const plugins = new Map<string, PluginDefinition>();
  const findings: string[] = [];
  const files = await entries(folder);
  const root = files.length > 0 ? await realpath(folder) : folder;
  for (const entry of files) {
    const shown = relative(process.cwd(), entry);
    try {
      if (!isBelow(root, await realpath(entry))) {
        findings.push(`${shown}:1:1 is a link out of the folder of plugins: copy the plugin into it`);
        continue;
      }
      const { exported, version } = await load(entry, root, cache);
      const definitions: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
      for (const definition of definitions) {
        if (!isPluginDefinition(definition)) {
          findings.push(
            `${shown}:1:1 exports no plugin: its default export must be what defineRule, defineCondition or defineKeeper returned, or a list of those`,
          );
        } else if (plugins.has(definition.name)) {
          findings.push(`${shown}:1:1 there is another plugin named "${definition.name}": names are unique`);
        } else {
          plugins.set(definition.name, Object.freeze({ ...definition, version }));
        }
      }
    } catch (error) {
      const messages = (error as { errors?: readonly Message[] }).errors; // esbuild's BuildFailure has this list
      if (Array.isArray(messages))
        findings.push(...messages.map((message: Message) => place(dirname(entry), message)));
      else findings.push(`${shown}:1:1 did not load: ${describeError(error)}`);
    }
  }
  return { plugins, files, findings };
}
