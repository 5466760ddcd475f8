import { errorLine } from '@alas-jssp/core/errors';
import type { JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { referredSchema } from './schema-member.js';
import { violationsOf } from './tool-checks.js';

const TYPES = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'];
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Deeper schemas are refused. */
const DEEPEST = 50;

/** Lists the mistakes of a JSON Schema, each with its place. */
export function findSchemaMistakes(
  root: Readonly<Record<string, unknown>>,
  path: JsonPath,
): JsonFault[] {
  const faults = findMistakes(root, { root, path, depth: 0 });
  if (faults.length > 0) return faults;
  try {
    violationsOf(root, {});
    return [];
  } catch (error) {
    // The rest of what compiling refuses.
    const hint = 'give a JSON Schema (draft 2020-12)';
    return [{ path, problem: errorLine(error), hint, found: root }];
  }
}

interface SchemaPlace {
  readonly root: unknown;
  readonly path: JsonPath;
  readonly depth: number;
}

function findMistakes(schema: unknown, { root, path, depth }: SchemaPlace): JsonFault[] {
  if (typeof schema === 'boolean') return [];
  const fault = (found: unknown, hint: string, ...keys: string[]): JsonFault => {
    return { path: [...path, ...keys], problem: describeFound(found), hint, found };
  };
  if (!isObject(schema)) return [fault(schema, 'give a JSON Schema')];
  if (depth > DEEPEST) {
    return [
      { path, problem: 'the schema is nested too deeply', hint: 'flatten it', found: schema },
    ];
  }
  const faults: JsonFault[] = [];
  const enter = (value: unknown, ...keys: (string | number)[]) => {
    faults.push(...findMistakes(value, { root, path: [...path, ...keys], depth: depth + 1 }));
  };
  for (const [key, value] of Object.entries(schema)) {
    if (ONE.includes(key) && !Array.isArray(value)) enter(value, key);
    else if (NAMED.includes(key)) {
      if (isObject(value)) for (const [name, one] of Object.entries(value)) enter(one, key, name);
      else faults.push(fault(value, 'give an object of JSON Schemas', key));
    } else if (MANY.includes(key)) {
      if (Array.isArray(value) && value.length > 0) {
        for (const [index, one] of value.entries()) enter(one, key, index);
      } else faults.push(fault(value, 'give a list of JSON Schemas', key));
    } else {
      const hint = hintFor(key, value, root);
      if (hint !== undefined) faults.push(fault(value, hint, key));
    }
  }
  return faults;
}

/** The hint for a wrong value of a keyword; undefined if it is right, or its keyword is none of these. */
function hintFor(key: string, value: unknown, root: unknown): string | undefined {
  switch (key) {
    case 'type':
      return typeHint(value);
    case 'enum':
      return Array.isArray(value) && value.length > 0 ? undefined : 'give a list of values';
    case 'required': {
      const isList = Array.isArray(value) && value.every((name) => typeof name === 'string');
      if (!isList) return 'give a list of names';
      return new Set(value).size === value.length ? undefined : 'give each name once';
    }
    case 'pattern':
      return isPattern(value) ? undefined : 'give a regular expression';
    case 'uniqueItems':
      return typeof value === 'boolean' ? undefined : 'give true or false';
    case '$ref':
      return referenceHint(value, root);
    default:
      if (COUNTS.includes(key)) {
        return Number.isSafeInteger(value) && (value as number) >= 0
          ? undefined
          : 'give a whole number from 0';
      }
      if (!NUMBERS.includes(key)) return undefined;
      if (typeof value !== 'number') return 'give a number';
      return key === 'multipleOf' && value <= 0 ? 'give a number above 0' : undefined;
  }
}

function typeHint(value: unknown): string | undefined {
  const types = Array.isArray(value) ? value : [value];
  const wrong = types.find((type) => !TYPES.includes(type as string));
  if (types.length > 0 && wrong === undefined) return undefined;
  return typeof wrong === 'string' ? suggestNames(wrong, TYPES) : `use one of ${TYPES.join(', ')}`;
}

function referenceHint(value: unknown, root: unknown): string | undefined {
  if (typeof value !== 'string' || !/^#(?:\/|$)/.test(value)) return 'give #/$defs/NAME';
  return referredSchema(value, root) === undefined ? 'there is nothing at this place' : undefined;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') !== null;
  } catch {
    return false;
  }
}
