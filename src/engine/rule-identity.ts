import type { RuleStamp } from './ports.ts';

/** One string for a rule as it stands; `<bot>/<rule>` is its first line. */
export const ruleIdentity = ({ bot, rule, fingerprint }: RuleStamp): string =>
  `${bot}/${rule}\n${fingerprint}`;
