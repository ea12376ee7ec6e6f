import { compileBots } from '../../src/language/compile-bots.ts';
import type { CompileBotsInput, CompiledBots } from '../../src/language/compile-bots.ts';
import type { Bot, BoundRule } from '../../src/plugin/bot.ts';

const NO_FILES = (path: string): string => {
  throw new Error(`ENOENT: no such file ${path}`);
};

/** Compiles one file, `bots/b.yaml`. */
export const compile = (text: string, more: Partial<CompileBotsInput> = {}): CompiledBots =>
  compileBots({
    files: [{ path: 'bots/b.yaml', text }],
    env: {},
    plugins: new Map(),
    readFile: NO_FILES,
    ...more,
  });

/** The bot of a file that has to be right. */
export function botOf(text: string, more: Partial<CompileBotsInput> = {}): Bot {
  const compiled = compile(text, more);
  if ('findings' in compiled) throw new Error(compiled.findings.join('\n'));
  const [bot] = compiled.bots;
  if (bot === undefined) throw new Error('no bot');
  return bot;
}

/** The only rule of a file that is all head but for it. */
export function ruleOf(rule: string, head = '', more: Partial<CompileBotsInput> = {}): BoundRule {
  const lines = rule.trim().split('\n');
  const text = [
    'version: 1',
    'bot: b',
    head.trim(),
    'rules:',
    `  - id: r`,
    ...lines.map((line) => `    ${line}`),
  ];
  const [bound] = botOf(text.join('\n'), more).rules;
  if (bound === undefined) throw new Error('no rule');
  return bound;
}
