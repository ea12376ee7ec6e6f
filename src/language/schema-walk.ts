import { z } from 'zod';

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];

/** What a schema is made of; every zod schema is one of the union, and the classic ones show it as `def`. */
const definitionOf = (schema: Schema): Definition => (schema as z.ZodType).def as Definition;

/** The schema inside of `optional`, `default`, a transform and the like; itself when there is none. */
function inner(schema: Schema): Schema {
  const def = definitionOf(schema);
  if (def.type === 'pipe') return def.in;
  return 'innerType' in def ? def.innerType : schema;
}

function core(schema: Schema): Definition {
  const inside = inner(schema);
  return inside === schema ? definitionOf(schema) : core(inside);
}

/** The alternatives of a union; none for anything else. */
export function branchesOf(schema: Schema | undefined): readonly Schema[] {
  const def = schema && core(schema);
  return def?.type === 'union' ? def.options : [];
}

/** The keys that a schema's map may have, in all of its alternatives. */
export function keysOf(schema: Schema | undefined): readonly string[] {
  const def = schema && core(schema);
  return def?.type === 'object' ? Object.keys(def.shape) : branchesOf(schema).flatMap(keysOf);
}

/** The schema of what lies under a path; undefined where it cannot be told. */
export function schemaAt(schema: Schema | undefined, path: readonly PropertyKey[]): Schema | undefined {
  const [key, ...rest] = path;
  if (schema === undefined || key === undefined) return schema;
  const def = core(schema);
  if (def.type === 'object') return schemaAt(def.shape[String(key)], rest);
  if (def.type === 'array') return schemaAt(def.element, rest);
  return def.type === 'record' ? schemaAt(def.valueType, rest) : undefined;
}

/** What a schema wants, in a word or two; its own description where it has one. */
export function describeSchema(schema: Schema): string | undefined {
  const named = z.globalRegistry.get(schema)?.description;
  if (named !== undefined) return named;
  const inside = inner(schema);
  if (inside !== schema) return describeSchema(inside);
  const def = definitionOf(schema);
  if (def.type === 'object') return `a map with ${Object.keys(def.shape).join(', ')}`;
  if (def.type === 'union') return [...new Set(def.options.map(describeSchema))].join(' or ');
  if (def.type === 'enum') return `one of ${Object.values(def.entries).join(', ')}`;
  if (def.type === 'literal') return def.values.map(String).join(' or ');
  return PLAIN[def.type];
}

const PLAIN: Readonly<Partial<Record<Definition['type'], string>>> = {
  record: 'a map',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};
