import { MESSAGE_LIMITS } from '../platform/index.ts';
import type { Bot } from '../plugin/bot.ts';
import type { PluginDefinition } from '../plugin/definitions.ts';
import { compileBot } from './compile-bot.ts';
import { Findings } from './finding.ts';
import { readYaml } from './read-yaml.ts';
import { CONDITIONS } from './vocabulary.ts';

export interface CompileBotsInput {
  /** Paths as findings are to show them; list files are found relative to them. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly plugins: ReadonlyMap<string, PluginDefinition>;
  /** The text of a list file by its path (joined to the bot file's folder); throws when it cannot be read. */
  readonly readFile: (path: string) => string;
  /** Most bytes of a message, where a platform differs from the interface. */
  readonly messageBytes?: number;
}

/** All or nothing: bots, or everything that is wrong. `reads` are the list files, worth watching either way. */
export type CompiledBots = { readonly reads: readonly string[]; readonly warnings: readonly string[] } & (
  | { readonly bots: readonly Bot[] }
  | { readonly findings: readonly string[] }
);

/**
 * Checks and compiles bot files; throws for no input. Findings and warnings are lines of `file:line:col path: message`.
 */
export function compileBots({
  files,
  env,
  plugins,
  readFile,
  messageBytes = MESSAGE_LIMITS.message,
}: CompileBotsInput): CompiledBots {
  const findings = new Findings();
  const reads = new Set<string>();
  const bots: Bot[] = [];
  const definedAt = new Map<string, string>();
  for (const { path, text } of files) {
    const root = readYaml(path, text, env, findings);
    if (root === undefined) continue;
    const bot = compileBot(root, {
      findings,
      plugins,
      messageBytes,
      readFile: (list) => {
        reads.add(list);
        return readFile(list);
      },
    });
    const name = root.get('bot');
    const before = definedAt.get(bot.name);
    if (name !== undefined && before !== undefined)
      findings.error(name, `duplicate bot "${name.written}", first in ${before}`);
    definedAt.set(bot.name, path);
    bots.push(bot);
    for (const plugin of plugins.values())
      if (
        plugin.kind === 'condition' &&
        (CONDITIONS.has(plugin.name) || ['all', 'any', 'not'].includes(plugin.name))
      )
        findings.error(
          root,
          `a plugin brings a condition "${plugin.name}", which is a word of the language: rename it`,
        );
  }
  const rest = { reads: [...reads], warnings: findings.warnings() };
  return findings.failed ? { ...rest, findings: findings.errors() } : { ...rest, bots };
}
