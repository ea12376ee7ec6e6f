import type { PluginDefinition } from './definitions.ts';

const KINDS = new Set<unknown>(['rule', 'condition', 'keeper']);

/** True for what one of the `define…` functions made: how a loader tells a plugin from any other export. */
export const isPluginDefinition = (value: unknown): value is PluginDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  'name' in value &&
  Object.isFrozen(value) &&
  KINDS.has(value.kind);
