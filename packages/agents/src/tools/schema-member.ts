import { isObject, pointerKeys, valueAt } from '@alas-jssp/core/json-path';

/**
 * A member of the values that a schema allows: its schema and whether every value has it; `open` if values may have it
 * although the schema does not name it; `absent` if they cannot.
 */
export type SchemaMember =
  | { readonly schema: unknown; readonly required: boolean }
  | 'open'
  | 'absent';

/** References followed in a row; more are treated as a cycle. */
const MOST_REFERENCES = 50;

/**
 * Finds a member of the values that a JSON Schema allows. A schema that lists properties and does not mention
 * `additionalProperties` has no others: a name that it does not list is a slip.
 *
 * @param root the document that `$ref` refers to
 */
export function findMember(
  schema: unknown,
  keys: readonly string[],
  root: unknown = schema,
): SchemaMember {
  let found: SchemaMember = { schema, required: true };
  for (const key of keys) {
    if (typeof found === 'string') return found;
    const next = memberOf(found.schema, key, root, 0);
    found =
      typeof next === 'string'
        ? next
        : { schema: next.schema, required: found.required && next.required };
  }
  return found;
}

function memberOf(schema: unknown, key: string, root: unknown, depth: number): SchemaMember {
  if (schema === false) return 'absent';
  if (!isObject(schema) || depth > MOST_REFERENCES) return 'open';
  const own = ownMember(schema, key);
  if (typeof own !== 'string') return own;
  const parts = partsOf(schema, root);
  const members = parts.map(({ part, always }) => {
    const member = memberOf(part, key, root, depth + 1);
    return typeof member === 'string' || always ? member : { ...member, required: false };
  });
  const known = members.filter((member) => typeof member !== 'string');
  if (known.length > 0) return known.find(({ required }) => required) ?? known[0];
  if (own === 'absent') return 'absent';
  return members.includes('absent') && !members.includes('open') ? 'absent' : own;
}

/** The member that a schema itself names, without the schemas that it is made of. */
function ownMember(schema: Readonly<Record<string, unknown>>, key: string): SchemaMember {
  const { properties, additionalProperties, items, type } = schema;
  if (isObject(items) && /^\d+$/.test(key)) return { schema: items, required: false };
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : ['object'];
  if (!types.includes('object')) return 'absent';
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    const { required } = schema;
    return {
      schema: properties[key],
      required: Array.isArray(required) && required.includes(key),
    };
  }
  if (isObject(additionalProperties)) return { schema: additionalProperties, required: false };
  if (additionalProperties === true || schema.patternProperties !== undefined) return 'open';
  return isObject(properties) || additionalProperties === false ? 'absent' : 'open';
}

/** The schemas that a schema is made of, and whether all values match them. */
function partsOf(
  schema: Readonly<Record<string, unknown>>,
  root: unknown,
): { part: unknown; always: boolean }[] {
  const parts: { part: unknown; always: boolean }[] = [];
  if (schema.$ref !== undefined) {
    parts.push({ part: referredSchema(schema.$ref, root) ?? true, always: true });
  }
  for (const [word, always] of [
    ['allOf', true],
    ['anyOf', false],
    ['oneOf', false],
  ] as const) {
    const listed = schema[word];
    if (Array.isArray(listed)) parts.push(...listed.map((part) => ({ part, always })));
  }
  return parts;
}

/** The schema that a `$ref` of the form `#/…` refers to; undefined if there is none. */
export function referredSchema(reference: unknown, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined;
  return valueAt(root, pointerKeys(decodeURIComponent(reference.slice(1))));
}
