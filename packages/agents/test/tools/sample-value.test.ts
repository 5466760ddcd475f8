import { createRandom } from '@alas-jssp/core/random';
import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTrialSystem, type Tool, toCatalogue } from '../../src/index.js';
import { violationsOf } from '../../src/tools/tool-checks.js';
import { sampleOutput } from '../../src/tools/trial/sample-output.js';
import { samplePattern } from '../../src/tools/trial/sample-pattern.js';
import { sampleValue } from '../../src/tools/trial/sample-value.js';
import { callWith } from './catalogues.js';

/** A tool with an output schema. */
function toolOf(output: object): Tool {
  const tool = { name: 't', description: 'Tries.', access: 'read', input: {}, output };
  return toCatalogue({ schema: 'alas-jssp/tools@1', tools: [tool] }).tools[0];
}

const { schema: schemas } = fc.letrec<{ schema: object; object: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<object>(
      { type: 'null' },
      { type: 'boolean' },
      { type: ['string', 'null'] },
      { const: { a: 1 } },
      { enum: ['a', 2, null] },
      { type: 'string', format: 'uuid' },
      { type: 'string', format: 'date-time' },
      { type: 'string', pattern: '^[A-Z]{2}-\\d{3,5}$' },
      { type: 'string', pattern: '^(?:low|high)?x+\\.[^a-y]$' },
      { type: 'string', minLength: 12, maxLength: 12 },
      { type: 'string', maxLength: 2 },
      { type: 'integer', minimum: 3, exclusiveMaximum: 5 },
      { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      { type: 'number', multipleOf: 0.5, minimum: -1.2, maximum: 0.1 },
      { type: 'integer', maximum: -7 },
    ),
    fc.record({
      type: fc.constant('array'),
      items: tie('schema'),
      minItems: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    tie('object'),
  ),
  object: fc
    .dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 3 })
    .chain((properties) =>
      fc.record({
        type: fc.constant('object'),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
        additionalProperties: fc.constant(false),
      }),
    ),
}));

it('values that are drawn match their schema', () => {
  const arbitrary = fc.dictionary(fc.constantFrom('x', 'y'), schemas, { minKeys: 1 });
  fc.assert(
    fc.property(arbitrary, fc.integer(), (properties, seed) => {
      const tool = toolOf({ type: 'object', properties, required: Object.keys(properties) });
      const value = sampleOutput(tool, {}, seed);
      expect(violationsOf(tool.output, value)).toEqual([]);
      expect(sampleOutput(tool, {}, seed)).toEqual(value);
    }),
    { numRuns: 150 },
  );
});

/** All values of seeds, as JSON. */
function drawn(schema: object, seeds = 100): Set<string> {
  const values = Array.from({ length: seeds }, (_, seed) =>
    sampleValue(schema, createRandom(seed)),
  );
  return new Set(values.map((value) => JSON.stringify(value)));
}

it('seeds draw all booleans, members of enums, types, alternatives and limits', () => {
  expect(drawn({ type: 'boolean' })).toEqual(new Set(['true', 'false']));
  expect(drawn({ enum: ['a', 'b', 'c'] })).toEqual(new Set(['"a"', '"b"', '"c"']));
  expect(drawn({ oneOf: [{ const: 1 }, { const: 2 }] })).toEqual(new Set(['1', '2']));
  const optional = { type: 'object', properties: { a: { const: 1 } } };
  expect(drawn(optional)).toEqual(new Set(['{}', '{"a":1}']));
  const limits = drawn({ type: 'integer', minimum: -20, maximum: 2000 });
  expect(limits).toContain('-20');
  expect(limits).toContain('2000');
});

it('follows references, also those of a schema that contains itself', () => {
  const node = {
    type: 'object',
    properties: { value: { $ref: '#/$defs/value' }, next: { $ref: '#/$defs/node' } },
    required: ['value'],
  };
  const schema = { $defs: { node, value: { type: 'integer' } }, $ref: '#/$defs/node' };
  for (const value of drawn(schema, 30)) {
    expect(violationsOf(schema, JSON.parse(value) as Json)).toEqual([]);
  }
});

it('a schema that cannot be drawn is named, with a hint', async () => {
  const tool = toolOf({ type: 'object', properties: { a: false }, required: ['a'] });
  const catalogue = toCatalogue({ schema: 'alas-jssp/tools@1', tools: [tool] });
  const trial = createTrialSystem(catalogue, { seed: 1 });
  await expect(trial.call('t', {}, callWith())).rejects.toMatchObject({
    code: 'NoSample',
    message: 'no output of the tool t can be made from its schema; give the tool an example output',
  });
});

it.each([
  '^[A-Z]{2}-\\d{3,5}$',
  '^(?:low|high)?x+\\.[^a-y]$',
  '(?<year>\\d{4})/[\\w.-]*',
  '^\\u0041[\\d_-]+\\S\\$$',
  'a|b{2,}|',
  '^[^\\s]{8}$',
])('texts that are drawn match the pattern %s', (pattern) => {
  const texts = drawn({ type: 'string', pattern });
  expect(texts.size).toBeGreaterThan(1);
  for (const text of texts) expect(JSON.parse(text)).toMatch(new RegExp(pattern));
});

it.each(['(?=a)', '\\1', '\\p{L}', 'a**', '[z', '(a', 'a)', '[]'])(
  'of the pattern %s, which it cannot follow, no text is drawn',
  (pattern) => {
    expect(samplePattern(pattern, createRandom(1))).toBeUndefined();
  },
);
