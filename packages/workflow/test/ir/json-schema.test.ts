import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { workflowJsonSchema } from '../../src/ir/json-schema.js';
import { toWorkflow } from '../../src/ir/workflow-file.js';

// `npm run schemas` rewrites the file.
test('the published JSON Schema is the one that files are read with', () => {
  const published = JSON.parse(readFileSync('schemas/workflow.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(workflowJsonSchema())));
});

test('the JSON Schema accepts a workflow and refuses unknown keys', () => {
  const validate = new Ajv2020({ strict: false }).compile(workflowJsonSchema());
  const body = { nodes: [{ id: 'b', type: 'task' }], edges: [] };
  const workflow = toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'w',
    nodes: [
      { id: 'a', type: 'task' },
      { id: 'm', type: 'map', items: 'input', body },
    ],
    edges: [],
  });
  expect(validate(workflow)).toBe(true);
  expect(validate({ ...workflow, nods: [] })).toBe(false);
});
