import { isDeepStrictEqual } from 'node:util';
import { formatPath, type JsonPath } from '@alas-jssp/core/json-path';
import {
  alternatives,
  assertions,
  type Definitions,
  itemSchemaOf,
  kindsOf,
  propertyOf,
  referredName,
  type SchemaObject,
} from './json-types.js';
import type { JsonSchema } from './workflow.js';

/** A reason why values of one schema may not fit another. */
export interface Incompatibility {
  /** `unknown`: the schemas do not decide. */
  readonly verdict: 'incompatible' | 'unknown';
  /** Place in the values, such as `$.jobs[*].id`. */
  readonly path: string;
  readonly message: string;
}

/** The schema keys that are compared; any other makes the answer unknown. */
const COMPARED =
  /^(type|const|enum|properties|required|additionalProperties|items|minimum|maximum|exclusiveMinimum|exclusiveMaximum|minLength|maxLength|minItems|maxItems)$/;

interface ComparisonContext {
  readonly definitions: Definitions;
  readonly path: JsonPath;
  /** Pairs of schemas in comparison further out: schemas may contain themselves. */
  readonly open: readonly (readonly [unknown, unknown])[];
}

/**
 * Compares the values of a producer with those that a consumer accepts. None: every value that is
 * valid for the producer is valid for the consumer. Open schemas give `unknown`; a contradiction
 * gives `incompatible`.
 */
export function findIncompatibilities(
  producer: JsonSchema,
  consumer: JsonSchema,
  definitions: Definitions = {},
): readonly Incompatibility[] {
  return compare(producer, consumer, { definitions, path: [], open: [] });
}

function compare(
  producer: JsonSchema,
  consumer: JsonSchema,
  context: ComparisonContext,
): readonly Incompatibility[] {
  const { definitions, open } = context;
  if (consumer === true || isDeepStrictEqual(producer, consumer)) return [];
  if (open.some(([a, b]) => a === producer && b === consumer)) return [];
  const name = typeof consumer === 'object' ? referredName(consumer.$ref) : undefined;
  const inside = { ...context, open: [...open, [producer, consumer] as const] };
  if (
    name !== undefined &&
    Object.hasOwn(definitions, name) &&
    Object.keys(consumer).length === 1
  ) {
    return compare(producer, definitions[name], inside);
  }
  const targets = alternatives(consumer, definitions);
  return alternatives(producer, definitions).flatMap((source) => {
    const results = targets.map((target) => compareOne(source, target, inside));
    const fitting = results.filter((found) => found.length === 0).length;
    if (fitting > 0) {
      const doubted =
        isExclusive(consumer) && targets.filter((target) => mayMeet(source, target)).length > 1;
      return doubted ? [unknown(context, 'more than one of oneOf may hold')] : [];
    }
    if (results.length === 1) return results[0];
    const undecided = results.some((found) => mayFit(found));
    return [
      undecided
        ? unknown(context, 'no alternative certainly holds')
        : incompatible(context, 'it fits none of the alternatives'),
    ];
  });
}

/** Whether one of its alternatives must hold and the others must not. */
function isExclusive(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false;
  return schema.oneOf !== undefined || ((schema.anyOf ?? []) as JsonSchema[]).some(isExclusive);
}

/** Whether some value may be valid for both: their types do not exclude it. */
function mayMeet(one: SchemaObject | true, other: SchemaObject | true): boolean {
  const others = kindsOf(other);
  return others === undefined || [...(kindsOf(one) ?? others)].some((kind) => others.has(kind));
}

function mayFit(found: readonly Incompatibility[]): boolean {
  return found.every(({ verdict }) => verdict === 'unknown');
}

function compareOne(
  producer: SchemaObject | true,
  consumer: SchemaObject | true,
  context: ComparisonContext,
): readonly Incompatibility[] {
  if (consumer === true || isDeepStrictEqual(producer, consumer)) return [];
  const counted = producer === true ? undefined : valuesOf(producer);
  const allowed = valuesOf(consumer);
  if (counted !== undefined && allowed !== undefined) {
    const stranger = counted.find((value) => !allowed.some((one) => isDeepStrictEqual(one, value)));
    if (stranger === undefined) return uncompared(consumer, context);
    return [incompatible(context, `${JSON.stringify(stranger)} is not among its values`)];
  }
  const type = compareTypes(producer, consumer, context);
  if (producer === true || type.some(({ verdict }) => verdict === 'incompatible')) return type;
  return [
    ...type,
    ...(allowed === undefined ? [] : [unknown(context, 'only some values are accepted')]),
    ...compareObjects(producer, consumer, context),
    ...compareItems(producer, consumer, context),
    ...compareRanges(producer, consumer, context, counted),
    ...uncompared(consumer, context),
  ];
}

function valuesOf(schema: SchemaObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function compareTypes(
  producer: SchemaObject | true,
  consumer: SchemaObject,
  context: ComparisonContext,
): readonly Incompatibility[] {
  const wanted = kindsOf(consumer);
  if (producer === true) return [unknown(context, 'the producer declares no output')];
  if (wanted === undefined) return [];
  const given = kindsOf(producer);
  if (given === undefined) return [unknown(context, 'the producer declares no type')];
  const stranger = [...given].find((kind) => !wanted.has(kind));
  const taken = [...wanted].join(' or ');
  if (stranger !== undefined) {
    return [incompatible(context, `it is of type ${stranger}, ${taken} is expected`)];
  }
  if (consumer.type !== 'integer' || producer.type === 'integer') return [];
  const whole = valuesOf(producer)?.every(Number.isInteger) ?? false;
  return whole ? [] : [incompatible(context, 'it may have a fraction, an integer is expected')];
}

function compareObjects(
  producer: SchemaObject,
  consumer: SchemaObject,
  context: ComparisonContext,
): readonly Incompatibility[] {
  if (kindsOf(producer)?.has('object') === false) return [];
  const required = (consumer.required ?? []) as string[];
  const missing = required.flatMap((key) => {
    const property = propertyOf(producer, key);
    if (property === 'unknown') return [unknown(at(context, key), 'it may be missing')];
    if (property === 'absent') return [incompatible(at(context, key), 'it never exists')];
    return property.sure ? [] : [incompatible(at(context, key), 'it may be missing')];
  });
  const given = Object.keys(producer.properties ?? {});
  const taken = Object.keys(consumer.properties ?? {});
  const found = [...new Set([...given, ...taken])].flatMap((key) => {
    const property = propertyOf(producer, key);
    const target = propertyOf({ type: 'object', ...consumer }, key);
    if (property === 'absent') return [];
    if (target === 'absent') return [incompatible(at(context, key), 'this key is not allowed')];
    if (target === 'unknown') return [];
    const source = property === 'unknown' ? true : property.schema;
    return compare(source, target.schema, at(context, key));
  });
  return [...missing, ...found, ...compareOthers(producer, consumer, context)];
}

/** The keys that neither schema names. */
function compareOthers(
  { additionalProperties: given = true, patternProperties }: SchemaObject,
  { additionalProperties: taken = true }: SchemaObject,
  context: ComparisonContext,
): readonly Incompatibility[] {
  if (taken === true || (given === false && patternProperties === undefined)) return [];
  if (given === true || patternProperties !== undefined) {
    return [unknown(context, 'it may have further keys')];
  }
  if (taken === false) return [incompatible(context, 'further keys are not allowed')];
  return compare(given as JsonSchema, taken as JsonSchema, at(context, '*'));
}

function compareItems(
  producer: SchemaObject,
  consumer: SchemaObject,
  context: ComparisonContext,
): readonly Incompatibility[] {
  const given = kindsOf(producer)?.has('array') === false ? undefined : itemSchemaOf(producer);
  if (given === undefined || consumer.items === undefined) return [];
  return compare(given, consumer.items as JsonSchema, at(context, '[*]'));
}

/** Each range of the consumer: its key, the kind it is for, its measure, and its direction. */
const RANGES = [
  ['minimum', 'number', 1],
  ['maximum', 'number', -1],
  ['exclusiveMinimum', 'number', 1],
  ['exclusiveMaximum', 'number', -1],
  ['minLength', 'string', 1],
  ['maxLength', 'string', -1],
  ['minItems', 'array', 1],
  ['maxItems', 'array', -1],
] as const;

function compareRanges(
  producer: SchemaObject,
  consumer: SchemaObject,
  context: ComparisonContext,
  values: readonly unknown[] | undefined,
): readonly Incompatibility[] {
  return RANGES.flatMap(([key, kind, sign]) => {
    const limit = consumer[key];
    if (typeof limit !== 'number' || kindsOf(producer)?.has(kind) === false) return [];
    if (values !== undefined) return [unknown(context, `its values are not compared with ${key}`)];
    const given = producer[key];
    if (typeof given === 'number') {
      return sign * given >= sign * limit
        ? []
        : [incompatible(context, `its ${key} is ${given}, the consumer's ${limit}`)];
    }
    return [unknown(context, `it has no ${key}, the consumer's is ${limit}`)];
  });
}

/** Keys of the consumer that this comparison does not know. */
function uncompared(
  consumer: SchemaObject,
  context: ComparisonContext,
): readonly Incompatibility[] {
  const key = assertions(consumer).find((name) => !COMPARED.test(name));
  return key === undefined ? [] : [unknown(context, `${key} is not compared`)];
}

function at(context: ComparisonContext, key: string): ComparisonContext {
  return { ...context, path: [...context.path, key] };
}

function incompatible({ path }: ComparisonContext, message: string): Incompatibility {
  return { verdict: 'incompatible', path: formatPath(path), message };
}

function unknown({ path }: ComparisonContext, message: string): Incompatibility {
  return { verdict: 'unknown', path: formatPath(path), message };
}
