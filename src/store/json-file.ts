import { readFile, rename } from 'node:fs/promises';
import type { Adapter } from 'lowdb';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { describeError, StoreError } from '../errors.ts';
import type { Log } from './log.ts';

/**
 * lowdb's adapter for one small document: written whole, synced, and put in place by a rename, so that a reader and a
 * crash see the old or the new one. The copy beside it is written first and holds the newest content that was good:
 * `read` puts it back when the file is damaged or missing, with a warning, and keeps a damaged one under another name.
 */
export function jsonFile<T>(path: string, schema: z.ZodType<T>, log: Log): Adapter<T> {
  const copy = `${path}.bak`;

  const load = async (from: string): Promise<T | undefined> => {
    const text = await readFile(from, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw new StoreError(`${from} cannot be read (${describeError(error)}). Check its permissions.`, error);
    });
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  };
  const put = (to: string, text: string): Promise<void> =>
    writeFileAtomic(to, text, { mode: 0o600, fsync: true });

  /** The copy, where the file itself is gone; null where there never was one. */
  const missing = async (): Promise<T | null> => {
    const good = await load(copy).catch((damage: unknown) => {
      throw new StoreError(
        `${path} is missing, and its copy ${copy} is damaged (${problem(damage)}). ` +
          'Put the file back, or move the copy away to begin without bans and settings.',
        damage,
      );
    });
    if (good === undefined) return null;
    await put(path, textOf(good));
    log.warn(
      { file: path, copy },
      'the operator file was missing: its last good copy is in place again; delete both to begin without bans and settings',
    );
    return good;
  };

  return {
    async read() {
      try {
        return (await load(path)) ?? (await missing());
      } catch (damage) {
        if (damage instanceof StoreError) throw damage;
        const good = await load(copy).catch(() => undefined);
        if (good === undefined) {
          throw new StoreError(
            `${path} is damaged (${problem(damage)}), and so is its copy ${copy}, or there is none. ` +
              'Correct the file by hand, or move it away to begin without bans and settings.',
            damage,
          );
        }
        const aside = `${path}.damaged`;
        await rename(path, aside);
        await put(path, textOf(good));
        log.warn(
          { file: path, copy, aside, problem: problem(damage) },
          'the operator file was damaged: its last good copy is in place again, the damaged one is kept aside; compare them',
        );
        return good;
      }
    },
    async write(data) {
      const text = textOf(data);
      await put(copy, text);
      await put(path, text);
    },
  };
}

const textOf = (data: unknown): string => `${JSON.stringify(data, undefined, 2)}\n`;

const problem = (error: unknown): string =>
  error instanceof z.ZodError ? z.prettifyError(error).replaceAll('\n', '; ') : describeError(error);
