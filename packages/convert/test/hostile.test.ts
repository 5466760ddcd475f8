import { BpmnModdle } from 'bpmn-moddle';
import { describe, expect, it } from 'vitest';
import { formFaults } from '../../../engines/asl/form.mjs';
import { toWorkflow, type Workflow } from '../../workflow/src/index.js';
import { convertWorkflow, readConverted } from '../src/convert.js';

interface Parts {
  readonly nodes: readonly object[];
  readonly edges?: readonly object[];
  readonly policies?: Readonly<Record<string, object>>;
  readonly more?: object;
}

function workflowOf({ nodes, edges = [], policies = {}, more = {} }: Parts): Workflow {
  const limits = { usual: { timeout: { seconds: 9 } }, ...policies };
  return toWorkflow({
    ...{ schema: 'alas-jssp/workflow@1', name: 'hostile', nodes, edges, ...more },
    ...{ policies: limits, defaultPolicy: 'usual' },
  });
}

const task = (id: string, more: object = {}) => ({ id, type: 'task', ...more });

/** The states of the machine of a workflow, whose form is right and which is read as the same workflow. */
async function statesOf(workflow: Workflow) {
  const { text } = await convertWorkflow(workflow, 'asl');
  expect(formFaults(text)).toEqual([]);
  const back = await readConverted(text);
  expect(toWorkflow(JSON.parse(JSON.stringify(back)))).toEqual(workflow);
  return JSON.parse(text).States;
}

describe('names that look like something else', () => {
  it('are no expressions in the Amazon States Language', async () => {
    const { a, b } = await statesOf(
      workflowOf({
        nodes: [
          task('a', { handler: '{% $states.input %}' }),
          task('b', { handler: 'two\nlines' }),
        ],
        edges: [{ from: 'a', to: 'b' }],
      }),
    );
    expect(a.Arguments.FunctionName).toBe('{% "{\\u0025 $states.input \\u0025}" %}');
    expect(a.Arguments.Payload.handler).toBe('{% "{\\u0025 $states.input \\u0025}" %}');
    expect(b.Arguments.FunctionName).toBe('{% "two\\nlines" %}');
  });

  it('are escaped in BPMN where XML cannot represent them', async () => {
    const workflow = workflowOf({
      nodes: [task('a', { name: 'a\u0001b\ufffe\ud800', handler: 'h\u0002' })],
    });
    const { text } = await convertWorkflow(workflow, 'bpmn');
    expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}|\ufffe|\p{Surrogate}/u);
    expect(text).toContain('a\\u0001b\\ufffe\\ud800');
    const { warnings } = await new BpmnModdle().fromXML(text);
    expect(warnings).toEqual([]);
  });

  it('end no answer of a time-out in BPMN', async () => {
    const { text } = await convertWorkflow(
      workflowOf({ nodes: [task('a', { handler: 'x}}y' })] }),
      'bpmn',
    );
    expect(text).toContain('x}}y took longer than 9 s", "nodeId": $path}, "late": true}');
  });
});

describe('references', () => {
  const workflow = workflowOf({
    nodes: [task('a', { input: { odd: 'input.a`b', first: 'input.list.0' } })],
  });

  it('follow keys with backticks and numbers in the Amazon States Language', async () => {
    const { a } = await statesOf(workflow);
    const { odd, first } = a.Arguments.Payload.input;
    expect(odd).toContain("$lookup($run.input, 'a`b')");
    expect(first).toContain(
      "$type($of) = 'array' ? $of[0] : $type($of) = 'object' ? $lookup($of, '0')",
    );
  });

  it('follow them in BPMN', async () => {
    const { text } = await convertWorkflow(workflow, 'bpmn');
    expect(text).toContain('$lookup($input, "a`b")');
    expect(text).not.toContain('$[0]');
  });
});

describe('policies at their edges', () => {
  it('of no error code and of States.ALL are no rules for an engine', async () => {
    const policies = {
      never: {
        retry: { maxAttempts: 3, retryOn: [] },
        backoff: { mode: 'fixed' },
        timeout: { seconds: 9 },
      },
      odd: {
        timeout: { seconds: 9 },
        catch: [
          { errors: ['States.ALL', 'Busy'], handler: 'h' },
          { errors: [], handler: 'h' },
        ],
      },
    };
    const nodes = [task('a', { policyRef: 'never' }), task('b', { policyRef: 'odd' }), task('h')];
    const { a, b } = await statesOf(
      workflowOf({ nodes, policies, edges: [{ from: 'a', to: 'b' }] }),
    );
    expect(a.Retry).toBeUndefined();
    expect(b.Catch.map((rule: { ErrorEquals: string[] }) => rule.ErrorEquals)).toEqual([
      ['Busy'],
      ['States.ALL'],
    ]);
  });

  it('of very large numbers stay within what engines take', async () => {
    const huge = {
      timeout: { seconds: 1e12 },
      retry: { maxAttempts: 1e12, retryOn: ['*'] },
      backoff: { mode: 'exponential', base: 1e12, cap: 1e21 },
    };
    const workflow = workflowOf({ nodes: [task('a', { policyRef: 'huge' })], policies: { huge } });
    const { a } = await statesOf(workflow);
    expect(a.TimeoutSeconds).toBe(99_999_999);
    expect(a.Retry[0]).toMatchObject({ IntervalSeconds: 99_999_999, MaxAttempts: 99_999_999 });
    expect(a.Retry[0].MaxDelaySeconds).toBe(31_622_399);
    const { text } = await convertWorkflow(workflow, 'argo');
    expect(text).toContain('activeDeadlineSeconds: 2147483647');
    expect(text).toContain('limit: 2147483647');
    const back = await readConverted(text);
    expect(toWorkflow(JSON.parse(JSON.stringify(back)))).toEqual(workflow);
    expect((await convertWorkflow(workflow, 'bpmn')).text).toContain('PT99999999S');
  });
});

describe('the end of a process', () => {
  it('asks of what stands which of it should have been undone', async () => {
    const compensation = { handler: 'u', safeReinvoke: true, triggers: ['onCancel'] };
    const policies = { own: { timeout: { seconds: 9 }, idempotencyKey: {}, compensation } };
    const nodes = [task('a', { effect: 'compensable', policyRef: 'own' }), task('b')];
    const edges = [{ from: 'a', to: 'b' }];
    const { text } = await convertWorkflow(workflowOf({ nodes, edges, policies }), 'bpmn');
    const status = /"COMPENSATION_FAILED"/.exec(text);
    expect(status).not.toBeNull();
    expect(text).toContain('($cancelled = true ? ["a"] : [])');
  });

  it('names a broken invariant as our runtime does', async () => {
    const invariants = [{ name: 'small', holds: '$output < 3' }];
    const { text } = await convertWorkflow(
      workflowOf({ nodes: [task('a')], more: { invariants } }),
      'bpmn',
    );
    expect(text).toContain('"code": "Invariant", "message": "the invariant small does not hold"');
  });
});
