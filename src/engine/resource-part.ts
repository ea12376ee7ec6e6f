/** The name of a resource's records: bot, rule and key; those of a shadow rule are not those of an enforcing one. */
export const resourcePart = (of: {
  readonly bot: string;
  readonly rule: string;
  readonly key: string;
  readonly shadow: boolean;
}): string => `${of.shadow ? 'shadow' : 'enforce'}/${of.bot}/${of.rule}/${of.key}`;
