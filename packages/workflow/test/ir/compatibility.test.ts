import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIncompatibilities } from '../../src/ir/compatibility.js';
import type { JsonSchema } from '../../src/ir/workflow.js';

const closed = {
  type: 'object',
  properties: { a: { type: 'number' } },
  additionalProperties: false,
};
const tree = { type: 'object', properties: { left: { $ref: '#/schemas/Tree' } } };

describe('findIncompatibilities', () => {
  it.each<[JsonSchema, JsonSchema, string | undefined, string?]>([
    [true, true, undefined],
    [{ type: 'integer' }, { type: 'number' }, undefined],
    [{ type: 'number' }, { type: 'integer' }, 'incompatible'],
    [true, { type: 'number' }, 'unknown'],
    [{ type: ['number', 'null'] }, { type: 'number' }, 'incompatible'],
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, undefined],
    [{ enum: ['a', 'c'] }, { enum: ['a', 'b'] }, 'incompatible'],
    [{ type: 'string' }, { enum: ['a', 'b'] }, 'unknown'],
    [closed, { ...closed, required: ['a'] }, 'incompatible', '$.a'],
    [{ ...closed, required: ['a'] }, { type: 'object', required: ['a'] }, undefined],
    [{ type: 'object' }, closed, 'unknown', '$.a'],
    [
      { type: 'array', items: { type: 'string' } },
      { type: 'array', items: { type: 'number' } },
      'incompatible',
      '$.[*]',
    ],
    [{ type: 'number', minimum: 0 }, { type: 'number', minimum: 1 }, 'incompatible'],
    [{ type: 'number', minimum: 2 }, { type: 'number', minimum: 1 }, undefined],
    [{ type: 'string' }, { type: 'string', maxLength: 3 }, 'unknown'],
    [{ $ref: '#/schemas/Tree' }, tree as JsonSchema, undefined],
    [{ type: 'number' }, { anyOf: [{ type: 'string' }, { type: 'number' }] }, undefined],
    [{ type: 'null' }, { anyOf: [{ type: 'string' }, { type: 'number' }] }, 'incompatible'],
    [{ type: 'integer' }, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'unknown'],
    [{ type: 'string' }, { type: 'string', pattern: 'a' }, 'unknown'],
  ])('of %j for %j: %s', (producer, consumer, verdict, path = '$') => {
    const [first] = findIncompatibilities(producer, consumer, { Tree: tree as JsonSchema });
    expect(first?.verdict).toBe(verdict);
    if (verdict !== undefined) expect(first.path).toBe(path);
  });

  it('finds something wherever a value of the one is not valid for the other', () => {
    const ajv = new Ajv2020({ strict: false });
    const values = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom(null, true, 0, 1, 2, 1.5, '', 'a', 'ab'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('value')),
      ),
    })).value;
    const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom<JsonSchema[]>(
          true,
          false,
          { type: 'integer' },
          { type: ['number', 'string'] },
          { type: 'number', minimum: 1 },
          { minimum: 1 },
          { enum: [1, 'a', null] },
          { enum: [1, 2], minimum: 2 },
          { const: 'a' },
          { type: 'string', maxLength: 1 },
        ),
        tie('schema').map((items) => ({ type: 'array', items }) as JsonSchema),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
          required: fc.subarray(['a', 'b']),
          additionalProperties: tie('schema'),
        }) as fc.Arbitrary<JsonSchema>,
        fc
          .tuple(
            fc.constantFrom('anyOf', 'oneOf'),
            fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          )
          .map(([key, members]) => ({ [key]: members }) as JsonSchema),
      ),
    })).schema;
    const accepts = (schema: JsonSchema, value: unknown) => ajv.validate(schema, value);
    fc.assert(
      fc.property(
        schemas,
        schemas,
        fc.array(values, { minLength: 20, maxLength: 20 }),
        (one, other, all) => {
          if (findIncompatibilities(one, other).length > 0) return;
          for (const value of all)
            if (accepts(one, value)) expect(accepts(other, value)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  }, 20_000);
});
