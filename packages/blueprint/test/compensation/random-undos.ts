import { catalogueSchema, TOOLS_SCHEMA, type ToolCatalogue } from '@alas-jssp/agents';
import fc from 'fast-check';
import type { Specification, Template } from '../../src/index.js';
import { SPECIFICATION_SCHEMA } from '../../src/specification/specification.js';
import { TEMPLATE_SCHEMA } from '../../src/template/template.js';

/** A draft of one node that changes something, with a correct undo, and its tools. */
export interface RandomUndo {
  readonly kind: 'create' | 'update' | 'delete';
  readonly specification: Specification;
  readonly template: Template;
  readonly catalogue: ToolCatalogue;
}

type Undo = Template['undo'][number];

const text = { type: 'string' };

function objectOf(fields: readonly string[], required = fields) {
  const properties = Object.fromEntries(fields.map((field) => [field, text]));
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

const names = fc.uniqueArray(fc.constantFrom('name', 'place', 'state', 'owner', 'note'), {
  minLength: 1,
  maxLength: 4,
});

/** Drafts whose undo restores the state, by the declarations of their tools. */
export const correctUndos: fc.Arbitrary<RandomUndo> = fc
  .record({
    kind: fc.constantFrom('create', 'update', 'delete'),
    record: fc.constantFrom('room', 'order', 'seat'),
    fields: names,
    idempotent: fc.boolean(),
    records: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ kind, record, fields, idempotent, records }) => {
    const wanted = kind === 'create' ? fields : kind === 'update' ? ['id', ...fields] : ['id'];
    const { tools, undo } = toolsOf(kind, record, fields, idempotent);
    const trial = {
      [record]: Array.from({ length: records }, (_, k) => ({
        id: `first-${k + 1}`,
        ...Object.fromEntries(fields.map((field) => [field, `old ${field} ${k}`])),
      })),
    };
    const catalogue = catalogueSchema.parse({ schema: TOOLS_SCHEMA, tools, trial });
    return { kind, catalogue, ...draftOf(wanted, undo) } as RandomUndo;
  });

function toolsOf(
  kind: string,
  record: string,
  fields: readonly string[],
  idempotent: boolean,
): { tools: object[]; undo: Undo } {
  const inputs = Object.fromEntries(fields.map((field) => [field, `input.${field}`]));
  const befores = Object.fromEntries(fields.map((field) => [field, `before.${field}`]));
  const common = { description: 'A tool.', access: 'change', capability: 'all' };
  const create = (name: string, id: string, own: boolean) => ({
    ...common,
    name,
    idempotent: own,
    input: objectOf(id === 'input.id' ? ['id', ...fields] : fields),
    output: objectOf(id === 'input.id' ? [] : ['id']),
    records: [{ does: 'create', record, id, set: inputs }],
  });
  const update = (name: string, own: boolean) => ({
    ...common,
    name,
    idempotent: own,
    input: objectOf(['id', ...fields]),
    output: objectOf(fields),
    records: [{ does: 'update', record, id: 'input.id', set: inputs, returns: befores }],
  });
  const remove = (name: string, own: boolean) => ({
    ...common,
    name,
    idempotent: own,
    input: objectOf(['id']),
    output: objectOf(fields),
    records: [{ does: 'delete', record, id: 'input.id', returns: befores }],
  });
  const outputs = Object.fromEntries(fields.map((field) => [field, `output.${field}`]));
  const undoBy = (input: Record<string, string>): Undo => ({
    node: 'act',
    strategy: 'undo',
    sequence: [{ tool: 'back', input }],
    reason: 'it restores the state',
  });
  if (kind === 'create') {
    const tools = [create('act', 'output.id', idempotent), remove('back', true)];
    return { tools, undo: undoBy({ id: 'output.id' }) };
  }
  if (kind === 'update') {
    const tools = [update('act', idempotent), update('back', true)];
    return { tools, undo: undoBy({ id: 'input.id', ...outputs }) };
  }
  const tools = [remove('act', idempotent), create('back', 'input.id', true)];
  return { tools, undo: undoBy({ id: 'input.id', ...outputs }) };
}

function draftOf(
  wanted: readonly string[],
  undo: Undo,
): Pick<RandomUndo, 'specification' | 'template'> {
  const specification: Specification = {
    schema: SPECIFICATION_SCHEMA,
    title: 'A change',
    objectives: [{ id: 'O1', text: 'It is changed.', source: null }],
    entities: [],
    inputs: wanted.map((name) => ({
      name,
      type: 'string',
      description: name,
      example: name === 'id' ? 'first-1' : `new ${name}`,
    })),
    operations: [
      { id: 'act', does: 'changes it', system: null, access: 'change', undo: null, source: null },
    ],
    constraints: [],
    disruptions: [],
    questions: [],
    assumptions: [],
  };
  const template: Template = {
    schema: TEMPLATE_SCHEMA,
    name: 'change',
    roles: [
      {
        id: 'clerk',
        kind: 'domain',
        purpose: 'Changes it.',
        capabilities: ['all'],
        context: { keeps: [], tokens: 100 },
        efficiency: {},
        late: false,
      },
    ],
    nodes: [
      {
        id: 'act',
        work: 'tool',
        role: 'clerk',
        does: 'changes it',
        operation: 'act',
        details: {
          id: 'act',
          tool: 'act',
          input: Object.fromEntries(wanted.map((name) => [name, `input.${name}`])),
          sees: [],
          log: [],
        },
      },
    ],
    edges: [],
    constraintCoverage: [],
    disruptionCoverage: [],
    undo: [undo],
  };
  return { specification, template };
}
