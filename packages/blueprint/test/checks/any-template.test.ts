import { catalogueSchema, type ToolCatalogue } from '@alas-jssp/agents';
import {
  checkDraft,
  compileTemplate,
  type Specification,
  specificationSchema,
  type Template,
  templateSchema,
} from '@alas-jssp/blueprint';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refundDraft } from '../fixtures/refund.js';

// Few names, so that parts of random drafts refer to one another.
const id = fc.constantFrom('a', 'b', 'c', 'd-1', 'constructor', 'ticket');
const text = fc.constantFrom('x', 'a.b', 'toString', '{input.a}', '{', 'reads the order', ' ');
const toolName = fc.constantFrom('read', 'change', 'final', 'other', 'undo');
const reference = fc.constantFrom(
  'input.a',
  'input',
  'outputs.a.x',
  'outputs.b',
  'outputs',
  'item',
  'item.x',
  'item.x.y',
  'key',
  'output.x',
  'output',
  '',
  '.',
  'outputs..x',
  'outputs.constructor.x',
  'input.__proto__',
  'x',
);
const nonempty = reference.filter((one) => one !== '');
const json = fc.jsonValue({ maxDepth: 2 });
const mapping = fc.dictionary(
  fc.constantFrom('a', 'x', 'id', 'toString'),
  fc.oneof(nonempty, fc.record({ value: json })),
  { maxKeys: 3 },
);
const expression = fc.constantFrom(
  'true',
  '$input.a = 1',
  '$output.x > $input.a',
  '$outputs.a.x',
  '$input.a +',
  'a',
  '$count($input)',
  '$outputs.constructor.x = 1',
  '$input.a[0] = 2',
  '$not($exists($output))',
  '1/0 = 2',
  '$sum($input.x.y) - $average($output) = 0',
  '$input.a in [1, 2, "x"]',
  '$input.a ? true : false',
);
const schema = fc.constantFrom(
  {},
  { type: 'object' },
  { type: 'array', items: { type: 'string' } },
  { type: 'nonsense' },
  {
    type: 'object',
    properties: { x: { type: 'number' } },
    required: ['x'],
    additionalProperties: false,
  },
  { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  { $ref: '#/$defs/x' },
  { $ref: '#/$defs/x', $defs: { x: { $ref: '#/$defs/x' } } },
  {
    type: 'object',
    properties: { a: { enum: [] }, x: { type: ['string', 'null'] } },
    required: ['a'],
  },
  { anyOf: [{ type: 'object', properties: { a: { const: 1 } } }, { type: 'string' }] },
  { type: 'object', properties: 5, required: 'a' },
  { properties: { a: true, x: false } },
);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const few = <T>(value: fc.Arbitrary<T>, maxLength = 4) => fc.array(value, { maxLength });
const codes = fc.array(fc.constantFrom('*', 'Timeout', 'Denied', 'X'), {
  minLength: 1,
  maxLength: 2,
});
const count = fc.integer({ min: 1, max: 3 });

const tool = fc.record({
  name: toolName,
  description: text,
  system: optional(fc.constantFrom('s', 't')),
  input: schema,
  output: schema,
  access: fc.constantFrom('read', 'change', 'irreversible'),
  capability: optional(text),
  idempotent: fc.boolean(),
  records: few(
    fc.record({
      does: fc.constantFrom('create', 'update', 'delete', 'read'),
      record: fc.constantFrom('r', 'q'),
      id: fc.constantFrom('input.a', 'output.x', 'x'),
    }),
    2,
  ),
  inverse: optional(fc.record({ tool: toolName, input: mapping })),
});

const source = fc.constant(null);
const specification = fc.record({
  schema: fc.constant('alas-jssp/specification@1'),
  title: text,
  objectives: fc.constant([{ id: 'o', text: 'x', source: null }]),
  entities: fc.constant([]),
  inputs: few(
    fc.record({
      name: fc.constantFrom('a', 'x', 'constructor'),
      type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'list', 'object'),
      items: optional(fc.constant({ x: 'string' })),
      description: text,
      example: json,
    }),
  ),
  operations: fc.array(
    fc.record({
      id,
      does: text,
      system: fc.constantFrom(null, 's'),
      access: fc.constantFrom('compute', 'decide', 'read', 'change', 'irreversible'),
      undo: fc.constant(null),
      source,
    }),
    { minLength: 1, maxLength: 4 },
  ),
  constraints: few(
    fc.record({
      id,
      scope: fc.constantFrom('global', 'operation', 'preference'),
      text,
      operations: few(id, 2),
      source,
    }),
  ),
  disruptions: few(
    fc.record({
      id,
      kind: fc.constantFrom('failure', 'timeout', 'rejection', 'crash', 'change', 'other'),
      text,
      operation: fc.option(id),
      source,
    }),
  ),
  questions: fc.constant([]),
  assumptions: fc.constant([]),
});

const route = fc.record({
  errors: codes,
  to: optional(id),
  backTo: optional(id),
  times: optional(count),
});
const details = fc.record({
  id,
  tool: optional(toolName),
  input: mapping,
  forEach: optional(nonempty),
  output: optional(schema),
  approval: optional(text),
  approvers: optional(few(text)),
  retry: optional(fc.record({ attempts: count, on: codes })),
  timeout: optional(fc.integer({ min: 1, max: 9 })),
  catch: optional(few(route, 2)),
  reviews: optional(id),
  sees: few(id, 2),
  log: few(text, 2),
  repair: optional(fc.record({ primitives: fc.constant(['time']), maxEdits: count })),
});
const node = fc.record({
  id,
  work: fc.constantFrom('tool', 'model', 'compute', 'choice'),
  role: fc.option(id),
  does: text,
  operation: fc.option(id),
  details,
});
const enforcement = fc.oneof(
  fc.record({ by: fc.constant('invariant'), holds: expression }),
  fc.record({ by: fc.constantFrom('output', 'input'), node: id, holds: expression }),
  fc.record({ by: fc.constantFrom('review', 'approval'), node: id }),
  fc.record({ by: fc.constant('order'), before: id, after: id }),
  fc.record({ by: fc.constant('choice'), choice: id, node: id }),
  fc.record({
    by: fc.constant('policy'),
    node: id,
    policy: fc.constantFrom('timeout', 'retry', 'catch', 'undo'),
  }),
  fc.record({ by: fc.constant('nothing'), reason: text }),
);
const handler = fc.oneof(
  fc.record({ by: fc.constantFrom('retry', 'catch', 'repair', 'escalate'), node: id }),
  fc.record({ by: fc.constantFrom('compensate', 'resume') }),
);
const template = fc.record({
  schema: fc.constant('alas-jssp/template@1'),
  name: id,
  roles: few(
    fc.record({
      id,
      kind: fc.constantFrom('planner', 'validator', 'repair', 'optimizer', 'supervisor', 'domain'),
      purpose: text,
      capabilities: few(fc.oneof(text, toolName)),
      context: fc.record({
        keeps: few(fc.constantFrom('goals', 'constraints', 'dependencies'), 2),
        tokens: count,
      }),
    }),
  ),
  nodes: few(node, 7),
  edges: few(
    fc.record({
      from: id,
      to: id,
      when: optional(expression),
      otherwise: optional(fc.constant(true as const)),
      repairable: fc.constantFrom('time', 'none'),
    }),
    9,
  ),
  output: optional(nonempty),
  constraintCoverage: few(
    fc.record({ constraint: id, enforced: fc.array(enforcement, { minLength: 1, maxLength: 3 }) }),
  ),
  disruptionCoverage: few(
    fc.record({
      disruption: id,
      handler,
      neighbourhood: fc.array(id, { minLength: 1, maxLength: 3 }),
      maxEdits: optional(count),
    }),
  ),
  undo: few(
    fc.record({
      node: id,
      strategy: fc.constantFrom('undo', 'mitigate', 'escalate', 'irreversible'),
      sequence: few(fc.record({ tool: toolName, input: mapping }), 2),
      reason: text,
    }),
  ),
});

/** Absent keys in place of undefined values, as JSON has them. */
const plain = <T>(value: unknown): T => JSON.parse(JSON.stringify(value)) as T;

const drafts = fc.record({
  specification: specification.map((one): Specification => specificationSchema.parse(plain(one))),
  template: template.map((one): Template => templateSchema.parse(plain(one))),
  catalogue: few(tool, 5).map(
    (tools): ToolCatalogue =>
      catalogueSchema.parse(plain({ schema: 'alas-jssp/tools@1', tools, trial: {} })),
  ),
});

describe('checkDraft and compileTemplate on any template', () => {
  it('decide without throwing, and give the same answer again', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const findings = checkDraft(draft);
        expect(checkDraft(structuredClone(draft))).toEqual(findings);
        for (const { code, part, path, message, hint } of findings) {
          expect(code).toMatch(/^[a-z_]+$/);
          expect(path).toMatch(/^\$/);
          for (const line of [part, message, hint]) expect(line).not.toMatch(/^$|\n|undefined/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('find nothing that the form of workflows does not allow, without a finding about it', () => {
    fc.assert(
      fc.property(drafts, ({ template, specification, catalogue }) => {
        const { workflow, partOf } = compileTemplate(template, specification, catalogue);
        expect(workflow.nodes.map(({ id }) => id)).toEqual(template.nodes.map(({ id }) => id));
        expect(typeof partOf('$.anything')).toBe('string');
      }),
      { numRuns: 100 },
    );
  });

  it('decide about the parts of a good draft in random combinations', () => {
    const good = refundDraft();
    fc.assert(
      fc.property(drafts, fc.constantFrom(...Object.keys(good.template)), (other, key) => {
        const template = { ...good.template, [key]: other.template[key as keyof Template] };
        checkDraft({ ...good, template });
        checkDraft({ ...good, specification: other.specification });
        checkDraft({ ...good, catalogue: other.catalogue });
      }),
      { numRuns: 150 },
    );
  });
});
