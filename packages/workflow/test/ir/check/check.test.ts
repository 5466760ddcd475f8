import { describe, expect, it } from 'vitest';
import { type CheckOptions, checkWorkflow } from '../../../src/ir/check/check.js';
import { toWorkflow } from '../../../src/ir/workflow-file.js';

const compensation = { handler: 'undo', safeReinvoke: true, timeout: { seconds: 1 } };
const policies = {
  plain: {},
  loop: { loopGuards: { maxIters: 3 } },
  effect: { timeout: { seconds: 1 }, compensation, idempotencyKey: {} },
  timed: { timeout: { seconds: 1 } },
  waiting: { wait: { seconds: 1 } },
};
const pair = { nodes: [task('a'), task('b')], edges: [edge('a', 'b')] };
const number = { type: 'number' };
const closed = { type: 'object', properties: { n: number }, additionalProperties: false };

function wait(id: string, message: string) {
  return { id, type: 'wait', message };
}

function task(id: string, rest: object = {}) {
  return { id, type: 'task', ...rest };
}

function edge(from: string, to: string, rest: object = {}) {
  return { from, to, ...rest };
}

/** A workflow that is in order but for the changes. */
function workflow(changes: object) {
  return toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'w',
    policies,
    defaultPolicy: 'plain',
    ...pair,
    ...changes,
  });
}

function withPolicy(policy: object, rest: object = {}) {
  return {
    policies: { ...policies, own: policy },
    nodes: [task('a', { policyRef: 'own', ...rest })],
    edges: [],
  };
}

const choice = (edges: object[], rest: object = {}) => ({
  io: {
    input: { type: 'object', properties: { ok: { type: 'boolean' } }, additionalProperties: false },
  },
  nodes: [{ id: 'c', type: 'choice' }, task('a'), task('b')],
  edges,
  ...rest,
});
const ok = edge('c', 'a', { kind: 'branch', guard: '$input.ok' });
const otherwise = edge('c', 'b', { kind: 'default' });
const map = (rest: object, body: object = { nodes: [task('x')], edges: [] }) => ({
  nodes: [{ id: 'm', type: 'map', policyRef: 'loop', body, ...rest }],
  edges: [],
});
const effect = (kind: string, rest: object = {}) =>
  task(`${kind}Step`, { effect: kind, policyRef: 'effect', ...rest });
const irreversible = task('final', { effect: 'irreversible', policyRef: 'timed' });

/** Rule by rule: a workflow that breaks it and no other, and where. */
const cases: [code: string, changes: object, path: string, options?: CheckOptions][] = [
  ['empty_body', { nodes: [], edges: [] }, '$.nodes'],
  ['duplicate_id', { nodes: [task('a'), task('a')], edges: [] }, '$.nodes[1].id'],
  ['unknown_node', { edges: [edge('a', 'b'), edge('a', 'z')] }, '$.edges[1].to'],
  ['no_guard', choice([edge('c', 'a', { kind: 'branch' }), otherwise]), '$.edges[0]'],
  ['needless_guard', { edges: [edge('a', 'b', { guard: 'true' })] }, '$.edges[0].guard'],
  ['unguarded_choice', choice([edge('c', 'a'), otherwise]), '$.edges[0].kind'],
  ['branch_of_task', { edges: [edge('a', 'b', { kind: 'default' })] }, '$.edges[0].kind'],
  ['no_branches', choice([]), '$.nodes[0]'],
  ['two_defaults', choice([otherwise, edge('c', 'a', { kind: 'default' })]), '$.nodes[0]'],
  ['no_default', choice([ok, { ...ok, to: 'b' }]), '$.nodes[0]'],
  ['cycle', { edges: [edge('a', 'b'), edge('b', 'a')] }, '$.edges'],
  ['unreachable', choice([{ ...ok, guard: 'false' }, otherwise]), '$.nodes[1]'],
  ['bad_guard', choice([{ ...ok, guard: '$input.okay' }, otherwise]), '$.edges[0].guard'],
  ['untyped_guard', choice([ok, otherwise], { io: {} }), '$.edges[0].guard'],
  ['bad_guard', { invariants: [{ name: 'i', holds: '1' }] }, '$.invariants[0].holds'],
  [
    'bad_guard',
    map({ until: '$output + 1' }, { nodes: [task('x', { io: { output: number } })], edges: [] }),
    '$.nodes[0].until',
  ],
  ['no_policy', { defaultPolicy: undefined, nodes: [task('a')], edges: [] }, '$.nodes[0]'],
  [
    'unknown_policy',
    { defaultPolicy: 'plan', nodes: [task('a', { policyRef: 'plain' })], edges: [] },
    '$.defaultPolicy',
  ],
  [
    'unknown_policy',
    { nodes: [task('a', { policyRef: 'plan' })], edges: [] },
    '$.nodes[0].policyRef',
  ],
  ['retry_without_backoff', withPolicy({ retry: { maxAttempts: 2 } }), '$.policies.own'],
  [
    'unsafe_compensation',
    withPolicy({ compensation: { ...compensation, safeReinvoke: false } }),
    '$.policies.own.compensation.safeReinvoke',
  ],
  [
    'no_deadline',
    withPolicy({ compensation: { ...compensation, triggers: ['deadline'] } }),
    '$.policies.own.compensation',
  ],
  [
    'bad_key_template',
    withPolicy({ idempotencyKey: { template: '{runid}' } }),
    '$.policies.own.idempotencyKey.template',
  ],
  [
    'key_collision',
    withPolicy({ idempotencyKey: { template: '{runId}{inputHash}' } }),
    '$.policies.own.idempotencyKey.template',
  ],
  ['unknown_catch_handler', withPolicy({ catch: [{ errors: ['*'], handler: 'z' }] }), '$.nodes[0]'],
  ['unknown_catch_handler', withPolicy({ catch: [{ errors: ['*'], backTo: 'z' }] }), '$.nodes[0]'],
  [
    'back_to_not_before',
    {
      policies: { ...policies, own: { catch: [{ errors: ['*'], backTo: 'b', times: 2 }] } },
      nodes: [task('a', { policyRef: 'own' }), task('b')],
    },
    '$.nodes[0]',
  ],
  ['unbounded_wait', { nodes: [wait('a', 'paid')], edges: [] }, '$.nodes[0]'],
  [
    'ambiguous_message',
    { nodes: [{ ...wait('a', 'paid'), policyRef: 'waiting' }], edges: [], signals: { paid: true } },
    '$.signals.paid',
  ],
  [
    'ambiguous_message',
    { nodes: [task('a', { approval: 'paid' })], edges: [], signals: { paid: true } },
    '$.signals.paid',
  ],
  [
    'ambiguous_message',
    {
      defaultPolicy: 'waiting',
      nodes: [wait('a', 'paid'), { ...wait('b', 'paid'), io: { output: number } }],
    },
    '$.nodes[1].message',
  ],
  ['bad_schema', { signals: { address: { type: 'txt' } } }, '$.signals.address'],
  ['bad_guard', { invariants: [{ name: 'i', holds: '$outputs.c > 1' }] }, '$.invariants[0].holds'],
  [
    'bad_guard',
    {
      nodes: [task('a', { io: { output: closed } })],
      edges: [],
      invariants: [{ name: 'i', holds: '$outputs.a.m > 1' }],
    },
    '$.invariants[0].holds',
  ],
  ['bad_map', map({}), '$.nodes[0]'],
  ['unbounded_loop', map({ items: 'input.list', policyRef: 'plain' }), '$.nodes[0]'],
  [
    'unknown_reference',
    { nodes: [task('a', { input: { x: 'outputs.z' } })], edges: [] },
    '$.nodes[0].input.x',
  ],
  [
    'unknown_reference',
    { nodes: [task('a', { input: 'outputs.z' })], edges: [] },
    '$.nodes[0].input',
  ],
  [
    'incompatible_schemas',
    {
      nodes: [
        task('a', { io: { output: closed } }),
        task('b', { input: ['outputs.a'], io: { input: number } }),
      ],
    },
    '$.nodes[1].io.input',
  ],
  [
    'reference_not_before',
    { nodes: [task('a'), task('b', { input: { x: 'outputs.a' } })], edges: [] },
    '$.nodes[1].input.x',
  ],
  [
    'bad_reference',
    { nodes: [task('a', { input: { x: 'a.b' } })], edges: [] },
    '$.nodes[0].input.x',
  ],
  ['bad_reference', map({ items: 'outputs.z' }), '$.nodes[0].items'],
  ['unknown_key', choice([ok, otherwise], { output: 'input.okay' }), '$.output'],
  ['reference_may_miss', choice([ok, otherwise], { output: 'outputs.a' }), '$.output'],
  [
    'incompatible_schemas',
    {
      nodes: [
        task('a', { io: { output: number } }),
        task('b', { io: { input: { type: 'string' } } }),
      ],
    },
    '$.nodes[1].io.input',
  ],
  [
    'incompatible_schemas',
    {
      io: { output: number },
      nodes: [task('a', { io: { output: { type: 'string' } } })],
      edges: [],
    },
    '$.io.output',
  ],
  [
    'unknown_fit',
    { nodes: [task('a'), task('b', { io: { input: number } })] },
    '$.nodes[1].io.input',
  ],
  ['bad_schema', { schemas: { A: { type: 'numbr' } } }, '$.schemas.A'],
  // The rules that compare schemas do not read what is none.
  ...[{ required: 60 }, { additionalProperties: null }, { anyOf: [null] }].map(
    (wrong): [string, object, string] => [
      'bad_schema',
      {
        nodes: [
          task('a', { io: { output: { ...closed, additionalProperties: number } } }),
          task('b', { io: { input: { type: 'object', ...wrong } } }),
        ],
      },
      '$.nodes[1].io.input',
    ],
  ),
  [
    'bad_schema',
    { logSchemas: { L: { required: ['a'], properties: { a: { type: 'numbr' } } } } },
    '$.logSchemas.L',
  ],
  ['bad_schema', { schemas: { A: { type: 'string', pattern: '(' } } }, '$.schemas.A.pattern'],
  [
    'bad_schema',
    { schemas: { A: { patternProperties: { '[': true } } } },
    '$.schemas.A.patternProperties',
  ],
  ['bad_schema', { schemas: { A: { $ref: '#/schemas/A' } } }, '$.schemas.A'],
  [
    'bad_schema',
    {
      schemas: {
        A: { anyOf: [true, { not: { if: { $ref: '#/schemas/A' } } }] },
        B: { items: { $ref: '#/schemas/B' } },
      },
    },
    '$.schemas.A',
  ],
  ['unknown_ref', { schemas: { A: { $ref: '#/schemas/B' } } }, '$.schemas.A.$ref'],
  [
    'unknown_log_schema',
    { nodes: [task('a', { logSchemaRef: 'l' })], edges: [] },
    '$.nodes[0].logSchemaRef',
  ],
  ['no_timeout', { nodes: [task('a', { effect: 'irreversible' })], edges: [] }, '$.nodes[0]'],
  ['no_timeout', { nodes: [task('a')], edges: [] }, '$.nodes[0]', { handlers: { a: {} } }],
  [
    'no_compensation',
    { nodes: [effect('partial', { policyRef: 'timed' })], edges: [] },
    '$.nodes[0]',
  ],
  [
    'compensation_without_key',
    withPolicy({ timeout: { seconds: 1 }, compensation }, { effect: 'compensable' }),
    '$.nodes[0]',
  ],
  [
    'compensation_without_timeout',
    withPolicy(
      { ...policies.effect, compensation: { ...compensation, timeout: undefined } },
      { effect: 'compensable' },
    ),
    '$.nodes[0]',
  ],
  [
    'irreversible_retry',
    withPolicy(
      { timeout: { seconds: 1 }, retry: { maxAttempts: 2 }, backoff: { mode: 'fixed' } },
      { effect: 'irreversible' },
    ),
    '$.nodes[0]',
  ],
  ['needless_compensation', { nodes: [effect('irreversible')], edges: [] }, '$.nodes[0]'],
  [
    'irreversible_not_last',
    { nodes: [irreversible, task('b')], edges: [edge('final', 'b')] },
    '$.nodes[0]',
  ],
  ['irreversible_not_last', { nodes: [irreversible, task('b')], edges: [] }, '$.nodes[0]'],
  [
    'irreversible_not_last',
    map({ items: 'input' }, { nodes: [irreversible], edges: [] }),
    '$.nodes[0]',
  ],
  ['missing_handler', { nodes: [task('a')], edges: [] }, '$.nodes[0]', { handlers: {} }],
  [
    'missing_compensator',
    { nodes: [effect('compensable')], edges: [] },
    '$.nodes[0]',
    { compensators: { other: 1 } },
  ],
  [
    'self_approval',
    { nodes: [task('a', { role: 'planner' }), task('b', { role: 'validator', handler: 'a' })] },
    '$.nodes[1]',
  ],
  [
    'unbounded_repair',
    { nodes: [task('a', { repair: { primitives: ['time'] } })], edges: [] },
    '$.nodes[0].repair',
  ],
  [
    'uncovered_disruption',
    {
      nodes: [task('a', { repair: { primitives: ['time'], maxEdits: 1, covers: ['delay'] } })],
      edges: [],
    },
    '$',
    { disruptions: ['delay', 'breakdown'] },
  ],
  [
    'idle_repair',
    { nodes: [task('a'), task('b', { repair: { primitives: ['order', 'time'], maxRepairs: 1 } })] },
    '$.nodes[1].repair',
  ],
  [
    'uncovered_disruption',
    {
      nodes: [
        task('a', { repair: { primitives: ['time'], maxEdits: 1, covers: ['delay', 'flood'] } }),
      ],
      edges: [],
    },
    '$.nodes[0].repair.covers',
    { disruptions: ['delay'], handlers: { a: { kind: 'pure', covers: ['delay'] } } },
  ],
  [
    'uncovered_disruption',
    { nodes: [task('a', { repair: { primitives: ['time'], maxEdits: 1 } })], edges: [] },
    '$',
    { disruptions: ['delay', 'flood'], handlers: { a: { kind: 'pure', covers: ['delay'] } } },
  ],
];

describe('the checker', () => {
  it.each(cases)('finds %s, and nothing else (%#)', (code, changes, path, options) => {
    const findings = checkWorkflow(workflow(changes), options);
    expect(findings.map((one) => [one.code, one.path])).toEqual([[code, path]]);
    expect(findings[0].hint).not.toBe('');
  });

  it('names a cycle node by node', () => {
    const nodes = ['a', 'b', 'c'].map((id) => task(id));
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a')];
    expect(checkWorkflow(workflow({ nodes, edges }))[0].message).toBe('a → b → c → a is a cycle');
  });

  it('accepts a workflow of all kinds of nodes', () => {
    const order = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const io = { output: order };
    const item = { nodes: [task('each')], edges: [] };
    const built = workflow({
      nodes: [
        task('book', { effect: 'compensable', policyRef: 'effect', io }),
        { id: 'good', type: 'choice' },
        task('accept'),
        task('refuse'),
        {
          id: 'notify',
          type: 'parallel',
          branches: { mail: { nodes: [task('mail')], edges: [] }, list: item },
        },
        { id: 'again', type: 'map', body: item, until: '$exists($output)', policyRef: 'loop' },
        { id: 'paid', type: 'wait', message: 'paid', policyRef: 'waiting', io },
        task('pay', { effect: 'irreversible', policyRef: 'timed' }),
      ],
      edges: [
        edge('book', 'good'),
        edge('good', 'accept', { kind: 'branch', guard: '$input.ok' }),
        edge('good', 'refuse', { kind: 'default' }),
        edge('accept', 'notify'),
        edge('notify', 'again'),
        edge('again', 'paid'),
        edge('paid', 'pay'),
        edge('refuse', 'notify'),
      ],
      output: ['outputs.refuse', 'outputs.pay'],
      signals: { address: { type: 'string' } },
      invariants: [{ name: 'i', holds: '$outputs.book.ok or $outputs.paid.ok' }],
    });
    expect(checkWorkflow(built)).toEqual([]);
  });

  it.each([
    [{ errors: ['*'] }, 'give either handler or backTo'],
    [{ errors: ['*'], handler: 'a', backTo: 'a' }, 'give either handler or backTo'],
    [{ errors: ['*'], handler: 'a', times: 2 }, 'give times with backTo only'],
  ])('is not asked about a rule such as %j', (rule, hint) => {
    expect(() => workflow(withPolicy({ catch: [rule] }))).toThrow(hint);
  });

  it('lets a default policy go back where there is a way back', () => {
    const back = { catch: [{ errors: ['*'], backTo: 'a' }] };
    const changes = { policies: { ...policies, back }, defaultPolicy: 'back' };
    expect(checkWorkflow(workflow(changes))).toEqual([]);
  });

  it('lets an approval stand before what cannot be undone', () => {
    const nodes = [{ ...irreversible, approval: 'boss' }, task('b')];
    expect(checkWorkflow(workflow({ nodes, edges: [edge('final', 'b')] }))).toEqual([]);
  });

  it('comes to an end where nodes refer to themselves and each other', () => {
    const body = { nodes: [{ id: 'm', type: 'choice', input: { x: 'outputs.m' } }], edges: [] };
    const loop = map({ items: 'input.x', input: { x: 'outputs.m' } }, body);
    expect(checkWorkflow(workflow(loop)).length).toBeGreaterThan(0);
  });
});
