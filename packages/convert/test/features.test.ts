import { expect, test } from 'vitest';
import { workflowJsonSchema, workflowSchema } from '../../workflow/src/index.js';
import { featuresOf } from '../src/features.js';
import { FEATURES } from '../src/report.js';

const task = (id: string, rest: object = {}) => ({ id, type: 'task', policyRef: 'plain', ...rest });

function workflowOf(nodes: object[], rest: object = {}) {
  return workflowSchema.parse({
    schema: 'alas-jssp/workflow@1',
    name: 'w',
    nodes,
    edges: [],
    ...rest,
    policies: { plain: {}, ...(rest as { policies?: object }).policies },
  });
}

const listed = (workflow: ReturnType<typeof workflowOf>) =>
  featuresOf(workflow).map(({ feature, place }) => `${place}: ${feature}`);

test('a feature is listed at the place that uses it, in branches and loops too', () => {
  const body = { nodes: [task('x', { effect: 'compensable', policyRef: 'held' })], edges: [] };
  const workflow = workflowOf(
    [
      { id: 'm', type: 'map', items: 'input.list', body, policyRef: 'plain', maxConcurrency: 2 },
      { id: 'p', type: 'parallel', branches: { a: body, b: body }, policyRef: 'plain' },
    ],
    {
      edges: [{ from: 'm', to: 'p' }],
      policies: { held: { compensation: { handler: 'u', safeReinvoke: true } } },
    },
  );
  const held = ['task', 'effect', 'idempotency-key', 'compensation', 'cancellation'];
  expect(listed(workflow)).toEqual([
    ': annotations',
    ': large-values',
    'm: map',
    'm: concurrency',
    ...held.map((feature) => `m/x: ${feature}`),
    'p: parallel',
    ...held.map((feature) => `p/a/x: ${feature}`),
    ...held.map((feature) => `p/b/x: ${feature}`),
  ]);
});

test('the handler of a failure does not begin side by side with the rest', () => {
  const policies = { caught: { catch: [{ errors: ['*'], handler: 'mend' }] } };
  const nodes = [task('a', { policyRef: 'caught' }), task('mend')];
  expect(listed(workflowOf(nodes, { policies }))).not.toContain(': side-by-side');
  expect(listed(workflowOf([task('a'), task('b')]))).toContain(': side-by-side');
});

/** Of each key of the IR the feature that answers for it; none for what only holds others together. */
const ANSWERS: Record<string, (typeof FEATURES)[number] | undefined> = {
  $schema: undefined,
  schema: undefined,
  name: 'annotations',
  nodes: undefined,
  edges: undefined,
  output: 'references',
  io: 'schemas',
  policies: undefined,
  defaultPolicy: undefined,
  schemas: 'schemas',
  logSchemas: 'log-schemas',
  signals: 'signals',
  invariants: 'invariants',
  meta: 'annotations',
  description: 'annotations',
  id: undefined,
  type: undefined,
  role: 'roles',
  capabilities: 'roles',
  context: 'roles',
  params: 'params',
  input: 'references',
  policyRef: undefined,
  logSchemaRef: 'log-schemas',
  repair: 'repair',
  handler: 'task',
  effect: 'effect',
  approval: 'approval',
  message: 'wait',
  branches: 'parallel',
  maxConcurrency: 'concurrency',
  items: 'map',
  until: 'loop',
  body: undefined,
  from: undefined,
  to: undefined,
  kind: 'choice',
  guard: 'guard',
  repairable: 'repair',
  retry: 'retry',
  backoff: 'backoff',
  timeout: 'timeout',
  wait: 'wait',
  approvers: 'approvers',
  lateAnswer: 'late-answer',
  catch: 'catch',
  idempotencyKey: 'idempotency-key',
  compensation: 'compensation',
  loopGuards: 'loop-guard',
};

test('each key of the IR has a feature that answers for it', () => {
  const schema = workflowJsonSchema() as { properties: object; $defs: Record<string, unknown> };
  const keys = new Set(Object.keys(schema.properties));
  for (const name of ['Node', 'Edge', 'Body', 'Policy']) {
    const { properties, oneOf = [] } = schema.$defs[name] as {
      properties?: object;
      oneOf?: { properties: object }[];
    };
    for (const part of [{ properties: properties ?? {} }, ...oneOf]) {
      for (const key of Object.keys(part.properties)) keys.add(key);
    }
  }
  expect([...keys].sort()).toEqual(Object.keys(ANSWERS).sort());
  const features = Object.values(ANSWERS).filter((feature) => feature !== undefined);
  expect(FEATURES).toEqual(expect.arrayContaining(features));
});
