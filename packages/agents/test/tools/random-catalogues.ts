import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { type Tool, type ToolCatalogue, toCatalogue } from '../../src/index.js';
import { objectOf } from './catalogues.js';

const TYPES = ['string', 'integer', 'boolean'] as const;

/** The values of a type. */
function valuesOf(type: unknown): fc.Arbitrary<Json> {
  switch (type) {
    case 'integer':
      return fc.integer({ min: -5, max: 5 });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.string({ maxLength: 4 });
  }
}

const fieldNames = ['state', 'total', 'constructor', 'a b'];

const kindArbitrary = fc.record({
  fields: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...fieldNames), type: fc.constantFrom(...TYPES) }),
    { minLength: 1, maxLength: 3, selector: ({ name }) => name },
  ),
  /** Whether its ids are given by callers. */
  givenIds: fc.boolean(),
  idType: fc.constantFrom('string', 'integer'),
  idempotent: fc.boolean(),
  records: fc.integer({ min: 1, max: 3 }),
  /** Which of the fields the records have. */
  present: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
  seed: fc.integer(),
});

type KindShape = typeof kindArbitrary extends fc.Arbitrary<infer T> ? T : never;

const orNull = (type: string) => ({ type: [type, 'null'] });
const sources = (prefix: string, fields: KindShape['fields']) =>
  Object.fromEntries(fields.map(({ name }) => [name, `${prefix}.${name}`]));
const typesOf = (fields: KindShape['fields']) =>
  Object.fromEntries(fields.map(({ name, type }) => [name, orNull(type)]));

/** The tools of a kind: one for each of create, update, delete and restore, with their undos. */
function toolsOf(kind: string, { fields, givenIds, idType, idempotent }: KindShape): object[] {
  const id = { type: givenIds ? 'string' : idType };
  // Record ids of trials are texts; those that trials have are always found by them.
  const any = { type: ['string', 'integer'] };
  const shared = { description: 'Random.', access: 'change', idempotent };
  const [{ name: first, type }] = fields;
  return [
    {
      ...shared,
      name: `create-${kind}`,
      input: objectOf({ ...(givenIds ? { id } : undefined), ...typesOf(fields) }),
      output: objectOf(givenIds ? {} : { id }),
      records: [
        {
          does: 'create',
          record: kind,
          id: givenIds ? 'input.id' : 'output.id',
          set: sources('input', fields),
        },
      ],
      inverse: { tool: `delete-${kind}`, input: { id: givenIds ? 'input.id' : 'output.id' } },
    },
    {
      ...shared,
      name: `update-${kind}`,
      input: objectOf({ id: any, to: orNull(type) }),
      output: objectOf({ was: orNull(type) }),
      records: [
        {
          does: 'update',
          record: kind,
          id: 'input.id',
          set: Object.fromEntries([[first, 'input.to']]),
          returns: { was: `before.${first}` },
        },
      ],
      inverse: { tool: `update-${kind}`, input: { id: 'input.id', to: 'output.was' } },
    },
    {
      ...shared,
      name: `delete-${kind}`,
      input: objectOf({ id: any }),
      output: objectOf(typesOf(fields)),
      records: [
        { does: 'delete', record: kind, id: 'input.id', returns: sources('before', fields) },
      ],
      inverse: {
        tool: `restore-${kind}`,
        input: { id: 'input.id', ...sources('output', fields) },
      },
    },
    {
      ...shared,
      name: `restore-${kind}`,
      input: objectOf({ id: any, ...typesOf(fields) }),
      output: objectOf({}),
      records: [{ does: 'create', record: kind, id: 'input.id', set: sources('input', fields) }],
    },
  ];
}

function trialOf({ fields, records, present }: KindShape): object[] {
  const values = { string: 'x', integer: 3, boolean: true };
  return Array.from({ length: records }, (_, index) => ({
    ...Object.fromEntries(
      fields
        .filter((_, column) => present[index * 3 + column])
        .map(({ name, type }) => [name, values[type]]),
    ),
    id: String(index + 1),
  }));
}

/** Random catalogues whose undos are right. */
export const catalogueArbitrary: fc.Arbitrary<ToolCatalogue> = fc
  .array(kindArbitrary, { minLength: 1, maxLength: 3 })
  .map((kinds) =>
    toCatalogue({
      schema: 'alas-jssp/tools@1',
      tools: kinds.flatMap((kind, index) => toolsOf(`k${index}`, kind)),
      trial: Object.fromEntries(kinds.map((kind, index) => [`k${index}`, trialOf(kind)])),
    }),
  );

/** Random inputs of a tool: ids of records that exist and of others. */
export function inputArbitrary({ input }: Tool): fc.Arbitrary<Record<string, Json>> {
  const properties = Object.entries(input.properties as Record<string, { type: unknown }>);
  return fc
    .tuple(
      ...properties.map(([name, { type }]) =>
        name === 'id'
          ? fc.constantFrom('1', '2', '3', 'new')
          : fc.oneof(fc.constant(null), valuesOf([type].flat()[0])),
      ),
    )
    .map((values) => Object.fromEntries(properties.map(([name], index) => [name, values[index]])));
}
