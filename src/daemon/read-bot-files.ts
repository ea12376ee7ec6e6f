import { existsSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface BotFile {
  readonly path: string;
  readonly text: string;
}

/** The bot files of a folder (`*.yaml`, `*.yml`, by name), or the one file that is named. Paths are as people read them. */
export async function readBotFiles(where: string): Promise<readonly BotFile[]> {
  if (!existsSync(where)) return [];
  const names = (await stat(where)).isDirectory()
    ? (await readdir(where))
        .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
        .sort()
        .map((name) => join(where, name))
    : [where];
  return Promise.all(
    names.map(async (path) => ({
      path: relative(process.cwd(), path) || path,
      text: await readFile(path, 'utf8'),
    })),
  );
}
